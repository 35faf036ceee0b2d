//! Formulas over the columns of a row: `closer + credits - fills`, `100 * win / drop`.
//!
//! They are what a reader of a workbook follows. The same text makes the formula of a cell and the value that is kept
//! beside it in sums; of single rows the query has the value.

/// A piece of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece<'a> {
    Name(&'a str),
    Number(f64),
    Sign(char),
}

fn pieces(formula: &str) -> impl Iterator<Item = Piece<'_>> {
    formula
        .split_whitespace()
        .map(|word| match (word.parse(), word) {
            (Ok(number), _) => Piece::Number(number),
            (_, "+" | "-" | "*" | "/") => Piece::Sign(word.chars().next().unwrap_or('+')),
            _ => Piece::Name(word),
        })
}

/// The value of a formula, products before sums; `None` where a column has none, or where it divides by nothing.
pub(crate) fn value(formula: &str, of: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let (mut sum, mut product, mut sign) = (0.0, 0.0, '+');
    for piece in pieces(formula) {
        let number = match piece {
            Piece::Sign(next) => {
                sign = next;
                continue;
            }
            Piece::Name(name) => of(name)?,
            Piece::Number(number) => number,
        };
        match sign {
            '*' => product *= number,
            '/' if number == 0.0 => return None,
            '/' => product /= number,
            _ => {
                sum += product;
                product = if sign == '-' { -number } else { number };
            }
        }
    }
    Some(sum + product)
}

/// A formula of a workbook, with the place of each column; `None` where a column has none.
pub(crate) fn in_cells(formula: &str, place: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut text = String::new();
    for piece in pieces(formula) {
        match piece {
            Piece::Name(name) => text.push_str(&place(name)?),
            Piece::Number(number) => text.push_str(&number.to_string()),
            Piece::Sign(sign) => text.push(sign),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_come_before_sums() {
        let of = |name: &str| match name {
            "win" => Some(50.0),
            "drop" => Some(200.0),
            "none" => Some(0.0),
            _ => None,
        };
        assert_eq!(value("100 * win / drop", of), Some(25.0));
        assert_eq!(value("drop - win + 2 * win", of), Some(250.0));
        assert_eq!(value("win / none", of), None);
        assert_eq!(value("win + fills", of), None);
        let place = |name: &str| Some(format!("{name}7"));
        assert_eq!(
            in_cells("100 * win / drop", place).unwrap(),
            "100*win7/drop7"
        );
    }
}
