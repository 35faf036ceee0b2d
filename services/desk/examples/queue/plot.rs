//! Bars by hour, as a picture that stands alone.

use std::collections::BTreeMap;

const BAR: i64 = 24;
const LEFT: i64 = 44;
const HEIGHT: i64 = 240;
const TOP: i64 = 34;
/// Of priority 1 to 4.
const COLOURS: [&str; 4] = ["#b3261e", "#e08600", "#5b7fa6", "#c3cad3"];

/// What came in each hour, by priority.
pub(crate) fn draw(hours: &BTreeMap<i64, [u64; 4]>) -> String {
    let first = hours.keys().next().copied().unwrap_or(0);
    let last = hours.keys().next_back().copied().unwrap_or(0);
    let most = hours.values().map(|counts| counts.iter().sum()).max();
    let most = i64::try_from(most.unwrap_or(0_u64))
        .unwrap_or(i64::MAX)
        .max(1);
    // Lines at round numbers.
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].into_iter();
    let step = step.clone().find(|step| most / step <= 8).unwrap_or(10_000);
    let top = (most / step + 1) * step;
    let (width, height) = (LEFT + (last - first + 1) * BAR + 10, TOP + HEIGHT + 34);
    let y = |count: i64| TOP + HEIGHT - HEIGHT * count / top;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    for (index, colour) in COLOURS.iter().enumerate() {
        let x = LEFT + 90 * i64::try_from(index).unwrap_or(0);
        line(format!(
            "<rect x=\"{x}\" y=\"8\" width=\"10\" height=\"10\" fill=\"{colour}\"/>"
        ));
        line(format!(
            "<text x=\"{}\" y=\"17\">priority {}</text>",
            x + 14,
            index + 1
        ));
    }
    for count in (0..=top).step_by(usize::try_from(step).unwrap_or(1)) {
        let y = y(count);
        line(format!("<path d=\"M{LEFT} {y}H{width}\" stroke=\"#ddd\"/>"));
        line(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{count}</text>",
            LEFT - 6,
            y + 4
        ));
    }
    for hour in first..=last {
        let x = LEFT + (hour - first) * BAR;
        let mut below = 0;
        let counts = hours.get(&hour).copied().unwrap_or_default();
        for (count, colour) in counts.into_iter().zip(COLOURS) {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            let (from, to) = (y(below + count), y(below));
            if count > 0 {
                let (x, width, tall) = (x + 2, BAR - 4, to - from);
                line(format!(
                    "<rect x=\"{x}\" y=\"{from}\" width=\"{width}\" height=\"{tall}\" fill=\"{colour}\"/>"
                ));
            }
            below += count;
        }
        let (x, y, hour) = (x + BAR / 2, TOP + HEIGHT + 14, hour.rem_euclid(24));
        line(format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{hour:02}</text>"
        ));
    }
    let (x, y) = (width / 2, TOP + HEIGHT + 29);
    line(format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">hour of the day, UTC</text>"
    ));
    svg + "</svg>\n"
}
