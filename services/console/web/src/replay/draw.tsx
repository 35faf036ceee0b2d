// One renderer for every table. What it draws follows from the layout and from what lies on the table.
import { chips } from '../base/money';
import { type Box, boxKey, isRed, LABELS, type Layout, layoutOf, ROULETTE_DOUBLE, ROULETTE_SINGLE } from './layouts';
import { type Bet, type Card as Held, type Round, type Table, tableAt } from './model';
import { Card, CARD_W, Chip, Die, Tile } from './pieces';

export const WIDTH = 1000;
export const HEIGHT = 660;

export function Drawn({ round, step }: { round: Round; step: number }) {
  const table = tableAt(round, step);
  const layout = layoutOf(round.game);
  return (
    <svg class={`felt ${layout.shape}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`The table after step ${step} of ${round.steps.length}`}>
      <Felt layout={layout} />
      {layout.boxes ? <Boxes boxes={boxesOf(layout, round)} table={table} /> : null}
      {layout.wheel ? <Wheel layout={layout} table={table} round={round} /> : null}
      {Object.entries(layout.places).filter(([place]) => hasPlace(place, layout, table)).map(([place, [x, y, label]]) => <Place key={place} place={place} x={x} y={y} label={label} table={table} />)}
      {layout.shape === 'arc' ? <Arc layout={layout} table={table} /> : null}
      {layout.shape === 'oval' ? <Oval layout={layout} table={table} /> : null}
      {layout.dice ? <Dice at={layout.dice} table={table} /> : null}
      {layout.dead ? <Dead at={layout.dead} table={table} /> : null}
      <Corner table={table} layout={layout} />
    </svg>
  );
}

function Felt({ layout }: { layout: Layout }) {
  if (layout.shape === 'oval') return <ellipse class="cloth" cx="500" cy="330" rx="490" ry="318" />;
  if (layout.shape === 'board') return <rect class="cloth" x="4" y="4" width="992" height="652" rx="24" />;
  return <path class="cloth" d="M30 4H970Q996 4 996 30V180C996 450 770 656 500 656S4 450 4 180V30Q4 4 30 4Z" />;
}

const touched = (table: Table, place: string): number | null => (table.now.has(place) ? table.seq : null);

/** Stud and draw have no board: at poker there is one as soon as cards lie on it. */
const hasPlace = (place: string, layout: Layout, table: Table): boolean => layout.shape !== 'oval' || place !== 'community' || table.hands.has(place);

/** Cards of the house and of all are read from the whole table. */
const HOUSE = 1.35;

/** Cards of the house or of all, in a row around their place. */
function Place({ place, x, y, label, table }: { place: string; x: number; y: number; label: string; table: Table }) {
  const cards = table.hands.get(place) ?? [];
  const set = table.set.get(place);
  const tiles = table.tiles.get(place);
  return (
    <g class={`place${table.now.has(place) ? ' now' : ''}`}>
      <text class="label" x={x} y={y - 12} text-anchor="middle">{label}{cards.length > 0 && total(place, cards)}</text>
      {tiles && !set && <Tiles x={x} y={y} tiles={tiles} now={table.now.has(place)} />}
      {set ? <SetRows x={x} y={y} high={set.high} low={set.low} tiles={tiles !== undefined} now={table.now.has(place)} wide />
        : <Fan x={x} y={y} cards={cards} width={place === 'dealer' || place === 'community' ? 440 : 300} now={touched(table, place)} scale={HOUSE} />}
      {cards.length === 0 && !tiles && !set && <rect class="outline" x={x - 62} y={y} width="124" height="84" rx="6" />}
    </g>
  );
}

/** Baccarat is read by its points. */
function total(place: string, cards: Held[]): string {
  if (place !== 'player' && place !== 'banker') return '';
  let sum = 0;
  for (const { card } of cards) {
    if (card === null) return '';
    const rank = card.slice(0, -1);
    sum += rank === 'A' ? 1 : Number(rank) || 0;
  }
  return ` · ${sum % 10}`;
}

/** `now` is the number of the step that touched the hand, if it is the last one. */
function Fan({ x, y, cards, width, now, scale = 1 }: { x: number; y: number; cards: Held[]; width: number; now: number | null; scale?: number }) {
  const step = Math.min(CARD_W * scale + 5, cards.length > 1 ? (width - CARD_W * scale) / (cards.length - 1) : 0);
  const all = step * (cards.length - 1) + CARD_W * scale;
  return <>{cards.map((held, index) => <Card key={index} x={x - all / 2 + index * step} y={y} card={held.card} up={held.up} now={now !== null && held.seq === now} scale={scale} />)}</>;
}

function Tiles({ x, y, tiles, now, scale = 1 }: { x: number; y: number; tiles: (string | null)[]; now: boolean; scale?: number }) {
  const step = 36 * scale;
  return <>{tiles.map((tile, index) => <Tile key={index} x={x - (tiles.length * step) / 2 + index * step} y={y} tile={tile} now={now} scale={scale} />)}</>;
}

/** A hand that was set into a high and a low one. */
function SetRows({ x, y, high, low, tiles, now, wide }: { x: number; y: number; high: string[]; low: string[]; tiles: boolean; now: boolean; wide?: boolean }) {
  const scale = wide ? 0.95 : 0.72;
  const row = (cards: string[], cx: number, cy: number) =>
    tiles ? <Tiles x={cx} y={cy} tiles={cards} now={now} scale={scale} />
      : <Fan x={cx} y={cy} cards={cards.map((card) => ({ card, up: true, seq: 0 }))} width={wide ? 230 : 118} now={now ? 0 : null} scale={scale} />;
  if (wide && low.length > 0) {
    const gap = tiles ? 50 : 22 + 26 * Math.max(high.length, low.length) * 0.75;
    return <g class="set">{row(high, x - gap, y)}{row(low, x + gap, y)}<text class="tiny" x={x - gap} y={y + 76} text-anchor="middle">high</text><text class="tiny" x={x + gap} y={y + 76} text-anchor="middle">low</text></g>;
  }
  return <g class="set">{low.length > 0 && row(low, x, y - (tiles ? 52 : 40))}{row(high, x, y)}</g>;
}

// ---- Tables with seats --------------------------------------------------------------------------------

/** Tables of so many seats that the circles of each stand in a line towards the dealer. */
const isNarrow = (layout: Layout): boolean => layout.shape === 'arc' && layout.seats > 9;

function seatAt(layout: Layout, seat: number): [number, number] {
  const count = Math.max(layout.seats, 1);
  if (layout.shape === 'oval') {
    const angle = -Math.PI / 2 + ((seat - 0.5 + 0.5) / (count + 1)) * 2 * Math.PI;
    return [Math.round(500 + 400 * Math.cos(angle)), Math.round(330 + 232 * Math.sin(angle))];
  }
  // The first seat is at the dealer's left, which is right for whoever looks at the dealer.
  const t = (Math.min(Math.max(seat, 1), count) - 0.5) / count;
  const angle = (0.06 + 0.88 * t) * Math.PI;
  // Many circles before a seat need room to the edge of the cloth.
  const wide = isNarrow(layout) ? 436 : 432 - 14 * (Math.min(4, Math.max(1, layout.spots.length)) - 1);
  return [Math.round(500 + wide * Math.cos(angle)), Math.round(262 + (isNarrow(layout) ? 330 : 282) * Math.sin(angle))];
}

function seatsOf(layout: Layout, table: Table): number[] {
  const used = new Set<number>();
  for (const bet of table.bets) used.add(bet.seat);
  for (const place of [...table.hands.keys(), ...table.tiles.keys()]) if (place.startsWith('seat:')) used.add(Number(place.split(':')[1]));
  const all = new Set([...Array.from({ length: layout.seats }, (_, index) => index + 1), ...used]);
  return [...all].sort((a, b) => a - b);
}

/** What lies in one circle: the wagers of one kind at one seat. */
interface Spot {
  kind: string;
  bets: Bet[];
}

function spotsOf(layout: Layout, table: Table, seat: number): Spot[] {
  const here = table.bets.filter((bet) => bet.seat === seat);
  const kinds = [...layout.spots, ...here.map((bet) => bet.kind).filter((kind) => !layout.spots.includes(kind))];
  return [...new Set(kinds)].map((kind) => ({ kind, bets: here.filter((bet) => bet.kind === kind) }));
}

function Arc({ layout, table }: { layout: Layout; table: Table }) {
  return <>{seatsOf(layout, table).filter((seat) => seat > 0).map((seat) => <Seat key={seat} seat={seat} layout={layout} table={table} />)}<HouseBets table={table} /></>;
}

/** Wagers of the house itself, where players bank. */
function HouseBets({ table }: { table: Table }) {
  const bets = table.bets.filter((bet) => bet.seat === 0);
  return <>{bets.map((bet, index) => <g key={bet.id}><BetChip bet={bet} x={84 + index * 52} y={236} table={table} /><text class="tiny" x={84 + index * 52} y={269} text-anchor="middle">{LABELS[bet.kind] ?? bet.kind}</text></g>)}</>;
}

function Seat({ seat, layout, table }: { seat: number; layout: Layout; table: Table }) {
  const [middle, low] = seatAt(layout, seat);
  const spots = spotsOf(layout, table, seat);
  const busy = spots.some((spot) => spot.bets.length > 0) || table.hands.has(`seat:${seat}`) || table.tiles.has(`seat:${seat}`);
  const player = spots.flatMap((spot) => spot.bets).find((bet) => bet.player)?.player;
  const decision = table.decisions.get(seat);
  const kind = `seat${busy ? '' : ' free'}${table.now.has(`decision:${seat}`) ? ' now' : ''}`;
  const name = `${seat === table.banker ? '◆ ' : ''}Seat ${seat}`;
  if (isNarrow(layout)) {
    const [x, y] = [middle, low];
    const [dx, dy] = inward(x, y);
    const won = spots.flatMap((spot) => spot.bets).reduce((sum, bet) => sum + bet.paid, 0);
    return (
      <g class={kind}>
        {spots.map((spot, index) => <SpotAt key={spot.kind} spot={spot} x={Math.round(x + dx * index * 31)} y={Math.round(y + dy * index * 31)} table={table} small quiet />)}
        <text class={busy ? 'label' : 'tiny'} x={Math.round(x - dx * 29)} y={Math.round(y - dy * 29 + 5)} text-anchor="middle">{busy ? `${seat === table.banker ? '◆' : ''}S${seat}` : seat}</text>
        {won > 0 && <text class="paid" x={Math.round(x + dx * (spots.length * 31 + 8))} y={Math.round(y + dy * (spots.length * 31 + 4))} text-anchor="middle">+{chips(won)}</text>}
      </g>
    );
  }
  const perRow = spots.length > 4 ? 4 : Math.max(2, Math.min(4, spots.length));
  const gap = spots.length > 3 ? 38 : 46;
  const below = Math.floor((spots.length - 1) / perRow) * 56;
  // A second row of circles moves the seat up, so that its name stays on the cloth.
  const y = low - below * 0.75;
  const x = within(middle, y + 33, ((Math.min(perRow, spots.length) - 1) / 2) * gap + 18);
  return (
    <g class={kind}>
      <Hands seat={seat} x={x} y={y} table={table} />
      {spots.map((spot, index) => {
        const row = Math.floor(index / perRow);
        const inRow = Math.min(perRow, spots.length - row * perRow);
        const sx = x + ((index % perRow) - (inRow - 1) / 2) * gap;
        const sy = y + 18 + row * 56;
        return <SpotAt key={spot.kind} spot={spot} x={sx} y={sy} table={table} small={gap < 40} />;
      })}
      <text class="label" x={x} y={y + (busy ? 69 : 60) + below} text-anchor="middle">{busy ? name : String(seat)}</text>
      {busy && (decision || player) && <text class="tiny" x={x} y={y + 83 + below} text-anchor="middle">{clip(decision ?? player ?? '', 22)}</text>}
    </g>
  );
}

/** Where something so wide to both sides still lies on the cloth, whose edge is nearly an ellipse. */
function within(x: number, y: number, half: number): number {
  const edge = 488 * Math.sqrt(Math.max(0, 1 - ((y - 180) / 476) ** 2));
  const beyond = Math.abs(x - 500) + half - edge;
  return beyond <= 0 ? x : Math.round(x - Math.sign(x - 500) * beyond);
}

/** From a seat towards the dealer. */
function inward(x: number, y: number): [number, number] {
  const [dx, dy] = [500 - x, 190 - y];
  const length = Math.hypot(dx, dy);
  return [dx / length, dy / length];
}

const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function Hands({ seat, x, y, table }: { seat: number; x: number; y: number; table: Table }) {
  const places = [...table.hands.keys()].filter((place) => place === `seat:${seat}` || place.startsWith(`seat:${seat}:`)).sort();
  const tiles = table.tiles.get(`seat:${seat}`);
  const set = table.set.get(`seat:${seat}`);
  const now = table.now.has(`seat:${seat}`);
  if (set) return <SetRows x={x} y={y - 58} high={set.high} low={set.low} tiles={tiles !== undefined} now={now} />;
  if (tiles) return <Tiles x={x} y={y - 62} tiles={tiles} now={now} scale={0.82} />;
  return (
    <>
      {places.map((place, index) => {
        const cards = table.hands.get(place) ?? [];
        const many = places.length;
        const width = many > 1 ? 128 / many + 10 : 124;
        const cx = x + (index - (many - 1) / 2) * (128 / many + 14);
        return <Fan key={place} x={cx} y={y - 76} cards={cards} width={width} now={touched(table, place)} scale={many > 1 ? 0.85 : 0.95} />;
      })}
    </>
  );
}

function SpotAt({ spot, x, y, table, small, quiet }: { spot: Spot; x: number; y: number; table: Table; small: boolean; quiet?: boolean }) {
  const label = LABELS[spot.kind] ?? spot.kind.replaceAll('_', ' ').slice(0, 8);
  const r = small ? 15 : 19;
  const size = small ? 'tiny less' : 'tiny';
  return (
    <g class="spot">
      <circle class="outline" cx={x} cy={y} r={r} />
      {spot.bets.length === 0 && <text class={`${size} on-felt`} x={x} y={y + 4} text-anchor="middle">{clip(label, small ? 5 : 7)}</text>}
      {spot.bets.map((bet, index) => <BetChip key={bet.id} bet={bet} x={x + index * 5} y={y - index * 5} table={table} small={small} quiet={quiet} />)}
      {!quiet && spot.bets.length > 0 && spot.bets.every((bet) => bet.paid === 0) && <text class={size} x={x} y={y + r + 11} text-anchor="middle">{clip(label, small ? 7 : 9)}</text>}
    </g>
  );
}

/** A stake, and what became of it: what is paid stands beside it, what is collected leaves an outline. */
function BetChip({ bet, x, y, table, small, quiet, label }: { bet: Bet; x: number; y: number; table: Table; small?: boolean; quiet?: boolean; label?: string }) {
  const now = table.now.has(bet.id);
  const gone = bet.state === 'collected' || bet.state === 'removed';
  const said: Record<string, string> = { collected: '✕', removed: '↩', pushed: '=', paid: '+', standing: '' };
  return (
    <g class="bet" data-wager={bet.id} transform={small ? `translate(${x} ${y}) scale(.8) translate(${-x} ${-y})` : undefined}>
      {now && <path class="moves" d={gone ? `M${x} ${y - 20}V${y - 52}` : `M${x} ${y - 52}V${y - 22}`} marker-end="" />}
      {now && <path class="moves-head" d={gone ? `M${x - 6} ${y - 46}L${x} ${y - 56}L${x + 6} ${y - 46}Z` : `M${x - 6} ${y - 30}L${x} ${y - 20}L${x + 6} ${y - 30}Z`} />}
      <Chip x={x} y={y} amount={bet.amount} state={bet.state} now={now} before={bet.from_before} label={label} />
      {bet.state !== 'standing' && (
        <g class={`outcome ${bet.state}`} transform={`translate(${x + 15} ${y - 15})`}>
          <circle r="9" /><text y="4" text-anchor="middle">{said[bet.state]}</text>
        </g>
      )}
      {bet.paid > 0 && !quiet && <text class="paid" x={x} y={y + 33} text-anchor="middle">+{chips(bet.paid)}</text>}
    </g>
  );
}

// ---- Poker ------------------------------------------------------------------------------------------

function Oval({ layout, table }: { layout: Layout; table: Table }) {
  const pot = table.bets.filter((bet) => bet.state !== 'removed' && bet.state !== 'pushed').reduce((sum, bet) => sum + bet.amount, 0) - table.pots.reduce((sum, part) => sum + part.amount, 0) - table.rake;
  return (
    <>
      <g class="place"><rect class="outline" x="470" y="16" width="60" height="34" rx="6" /><text class="label" x="500" y="38" text-anchor="middle">Dealer</text></g>
      <text class="pot" x="500" y="420" text-anchor="middle">Pot {chips(Math.max(0, pot))}</text>
      {table.rake > 0 && <text class="tiny" x="500" y="442" text-anchor="middle">rake {chips(table.rake)}</text>}
      {seatsOf(layout, table).filter((seat) => seat > 0).map((seat) => <PokerSeat key={seat} seat={seat} layout={layout} table={table} />)}
    </>
  );
}

function PokerSeat({ seat, layout, table }: { seat: number; layout: Layout; table: Table }) {
  const [x, y] = seatAt(layout, seat);
  const cards = table.hands.get(`seat:${seat}`) ?? [];
  const bets = table.bets.filter((bet) => bet.seat === seat && bet.state !== 'removed');
  const staked = bets.reduce((sum, bet) => sum + bet.amount, 0);
  const won = table.pots.filter((pot) => pot.seat === seat).reduce((sum, pot) => sum + pot.amount, 0);
  const free = cards.length === 0 && bets.length === 0;
  const decision = table.decisions.get(seat);
  const folded = decision === 'fold' || decision === 'muck';
  const now = bets.some((bet) => table.now.has(bet.id));
  const inward: [number, number] = [Math.round(x + (500 - x) * 0.3), Math.round(y + (330 - y) * 0.36)];
  return (
    <g class={`seat${free ? ' free' : ''}${folded ? ' folded' : ''}${table.now.has(`decision:${seat}`) ? ' now' : ''}`}>
      <Fan x={x} y={y - 48} cards={cards} width={150} now={touched(table, `seat:${seat}`)} scale={0.95} />
      <text class="label" x={x} y={y + 30} text-anchor="middle">{free ? String(seat) : `${seat === table.banker ? '◆ ' : ''}Seat ${seat}`}</text>
      {decision && <text class="tiny" x={x} y={y + 45} text-anchor="middle">{clip(decision, 22)}</text>}
      {staked > 0 && <Chip x={inward[0]} y={inward[1]} amount={staked} state="standing" now={now} />}
      {won > 0 && <text class="paid" x={x} y={y + 62} text-anchor="middle">+{chips(won)}</text>}
    </g>
  );
}

// ---- Boards -----------------------------------------------------------------------------------------

/** A single-zero layout has no double zero, and its zero is as tall as both. */
function boxesOf(layout: Layout, round: Round): Box[] {
  const boxes = layout.boxes ?? [];
  if (layout.wheel?.kind !== 'roulette' || round.document?.options?.wheel !== 'single') return boxes;
  const double = boxes.find((box) => box.key === 'number:00');
  return boxes.filter((box) => box !== double).map((box) => (box.key === 'number:0' && double ? { ...box, y: double.y, h: box.h + double.h } : box));
}

function Boxes({ boxes, table }: { boxes: Box[]; table: Table }) {
  const keys = new Map(boxes.map((box) => [box.key, box]));
  const lying = new Map<string, Bet[]>();
  const between: { bet: Bet; x: number; y: number }[] = [];
  const others: Bet[] = [];
  for (const bet of table.bets) {
    const lead = ['come_odds', 'dont_come_odds'].includes(bet.kind) ? table.bets.find((other) => other.id === bet.on) : undefined;
    const key = lead ? boxKey(lead.kind, lead.detail, lead.point) : boxKey(bet.kind, bet.detail, bet.point);
    if (keys.has(key)) {
      lying.set(key, [...(lying.get(key) ?? []), bet]);
      continue;
    }
    // On a line between numbers, or on a corner.
    const numbers: string[] = bet.kind === 'first_five' ? ['0', '00', '1', '2', '3'] : Array.isArray(bet.detail.numbers) ? bet.detail.numbers.map(String) : [];
    const on = numbers.map((number) => keys.get(`number:${number}`)).filter((box) => box !== undefined);
    if (on.length > 0) {
      between.push({ bet, x: on.reduce((sum, box) => sum + box.x + box.w / 2, 0) / on.length, y: on.reduce((sum, box) => sum + box.y + box.h / 2, 0) / on.length });
    } else others.push(bet);
  }
  const crowded = new Map<string, number>();
  return (
    <>
      {boxes.map((box) => (
        <g key={box.key} class={`box ${box.tone ?? 'plain'}${hit(box.key, table) ? ' hit' : ''}`}>
          <rect x={box.x} y={box.y} width={box.w} height={box.h} />
          <BoxName box={box} />
          {box.small && <text class="tiny" x={box.x + box.w / 2} y={box.y + 39} text-anchor="middle">{box.small}</text>}
          {table.point !== null && box.key === `number:${table.point}` && <g class="puck" transform={`translate(${box.x + box.w - 20} ${box.y + 20})`}><circle r="15" /><text y="5" text-anchor="middle">ON</text></g>}
        </g>
      ))}
      {[...lying].map(([key, bets]) => <InBox key={key} box={keys.get(key)} bets={bets} table={table} />)}
      {between.map(({ bet, x, y }) => {
        const place = `${Math.round(x)} ${Math.round(y)}`;
        const nth = crowded.get(place) ?? 0;
        crowded.set(place, nth + 1);
        return <BetChip key={bet.id} bet={bet} x={x + nth * 14} y={y - nth * 7} table={table} small label={`S${bet.seat}`} />;
      })}
      {others.map((bet, index) => <BetChip key={bet.id} bet={bet} x={40 + index * 52} y={620} table={table} label={`S${bet.seat} ${LABELS[bet.kind] ?? bet.kind}`} />)}
    </>
  );
}

function BoxName({ box }: { box: Box }) {
  if (box.w > 120 && box.h <= 70) return <text class="tiny" x={box.x + 8} y={box.y + 18}>{box.label}</text>;
  const coloured = box.tone !== undefined && box.tone !== 'plain';
  const parts = box.label.split(' ');
  if (box.w <= 100 && box.label.length > 8 && parts.length === 2) return <>{parts.map((part, index) => <text key={index} class="label" x={box.x + box.w / 2} y={box.y + 22 + index * 17} text-anchor="middle">{part}</text>)}</>;
  const name = box.h > 70 && box.w > 120 ? 'felt-name' : 'label';
  return <text class={name} x={box.x + box.w / 2} y={coloured ? box.y + box.h / 2 + 5 : box.y + 22} text-anchor="middle">{box.label}</text>;
}

function hit(key: string, table: Table): boolean {
  if (table.spun !== null && table.spunValid) return key === `number:${table.spun}` || key === `insignia_${table.spun}` || key === table.spun;
  return false;
}

function InBox({ box, bets, table }: { box: Box | undefined; bets: Bet[]; table: Table }) {
  if (box === undefined) return null;
  const top = box.h <= 60 ? 14 : box.small ? 54 : 46;
  const across = Math.max(1, Math.floor((box.w - 6) / 40));
  const down = Math.max(1, Math.ceil(bets.length / across));
  const high = Math.min(52, (box.h - top) / down);
  const inRow = Math.min(across, bets.length);
  const apart = Math.min(bets.some((bet) => bet.paid > 0) ? 60 : 46, (box.w - 10) / inRow);
  // In a low box they lie in a row from its right end, the closer the more there are.
  const beside = Math.min(32, (box.w - 30) / bets.length);
  return (
    <>
      {bets.map((bet, index) => {
        const small = box.h <= 70;
        const x = small ? box.x + box.w - 20 - index * beside : box.x + box.w / 2 + ((index % across) - (inRow - 1) / 2) * apart;
        const y = small ? box.y + box.h / 2 + 7 : box.y + top + high / 2 + Math.floor(index / across) * high;
        const tag = LABELS[bet.kind];
        const what = tag !== undefined && tag.length < 4 ? ` ${tag}` : '';
        return <BetChip key={bet.id} bet={bet} x={x} y={y} table={table} small={high < 50 || box.w < 60} label={`S${bet.seat}${what}`} />;
      })}
    </>
  );
}

function Dice({ at, table }: { at: [number, number]; table: Table }) {
  const dice = table.dice;
  const [x, y] = at;
  if (dice === null) return <g class="dice"><rect class="outline" x={x - 60} y={y - 30} width="120" height="60" rx="8" /><text class="tiny" x={x} y={y + 5} text-anchor="middle">dice</text></g>;
  const now = table.now.has('dice');
  return (
    <g class="dice">
      {dice.map((face, index) => <Die key={index} x={x + (index - (dice.length - 1) / 2) * 56} y={y} face={face} off={!table.diceValid} now={now} />)}
      <text class="label" x={x} y={y + 46} text-anchor="middle">{table.diceValid ? String(dice.reduce((sum, die) => sum + die, 0)) : 'does not count'}</text>
    </g>
  );
}

function Dead({ at, table }: { at: [number, number]; table: Table }) {
  const tiles = table.tiles.get('dead_hand');
  if (tiles === undefined) return null;
  return <g class="place"><text class="label" x={at[0] + 60} y={at[1] - 12} text-anchor="middle">Dead hand</text><Tiles x={at[0] + 60} y={at[1]} tiles={tiles} now={table.now.has('dead_hand')} scale={0.8} /></g>;
}

// ---- Wheels -----------------------------------------------------------------------------------------

function Wheel({ layout, table, round }: { layout: Layout; table: Table; round: Round }) {
  const wheel = layout.wheel;
  if (wheel === undefined) return null;
  return wheel.kind === 'roulette' ? <Roulette x={wheel.x} y={wheel.y} r={wheel.r} table={table} round={round} /> : <BigSix x={wheel.x} y={wheel.y} r={wheel.r} table={table} />;
}

const point = (x: number, y: number, r: number, turn: number): string => {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${(x + r * Math.cos(angle)).toFixed(1)} ${(y + r * Math.sin(angle)).toFixed(1)}`;
};

function Roulette({ x, y, r, table, round }: { x: number; y: number; r: number; table: Table; round: Round }) {
  const pockets = round.document?.options?.wheel === 'single' ? ROULETTE_SINGLE : ROULETTE_DOUBLE;
  const part = 1 / pockets.length;
  return (
    <g class={`wheel${table.now.has('wheel') ? ' now' : ''}`}>
      <circle class="rim" cx={x} cy={y} r={r + 6} />
      {pockets.map((pocket, index) => {
        const from = (index - 0.5) * part;
        const to = (index + 0.5) * part;
        const tone = pocket === '0' || pocket === '00' ? 'green' : isRed(pocket) ? 'red' : 'black';
        const [tx, ty] = point(x, y, r - 13, index * part).split(' ');
        return (
          <g key={pocket} class={`pocket ${tone}${table.spun === pocket ? ' hit' : ''}`}>
            <path d={`M${point(x, y, r, from)}A${r} ${r} 0 0 1 ${point(x, y, r, to)}L${point(x, y, r - 28, to)}A${r - 28} ${r - 28} 0 0 0 ${point(x, y, r - 28, from)}Z`} />
            <text x={tx} y={Number(ty) + 4} text-anchor="middle">{pocket}</text>
          </g>
        );
      })}
      {table.spun !== null && pockets.includes(table.spun) && table.spunValid && <circle class="ball" cx={point(x, y, r - 40, pockets.indexOf(table.spun) * part).split(' ')[0]} cy={point(x, y, r - 40, pockets.indexOf(table.spun) * part).split(' ')[1]} r="8" />}
      <text class="result" x={x} y={y + 14} text-anchor="middle">{table.spun === null ? '' : table.spunValid ? table.spun : '✕'}</text>
      {table.spun !== null && !table.spunValid && <text class="tiny" x={x} y={y + 36} text-anchor="middle">does not count</text>}
    </g>
  );
}

const STOPS = 54;
const SYMBOLS: Record<string, string> = { '1': '$1', '2': '$2', '5': '$5', '10': '$10', '20': '$20', joker: 'Joker', flag: 'Flag', casino_name: 'House' };

/** The order of the stops is not in the feed, so the wheel shows where the clapper is and nothing more. */
function BigSix({ x, y, r, table }: { x: number; y: number; r: number; table: Table }) {
  return (
    <g class={`wheel${table.now.has('wheel') ? ' now' : ''}`}>
      <circle class="rim" cx={x} cy={y} r={r} />
      {Array.from({ length: STOPS }, (_, index) => {
        const [x1, y1] = point(x, y, r, (index + 0.5) / STOPS).split(' ');
        const [x2, y2] = point(x, y, r - 30, (index + 0.5) / STOPS).split(' ');
        return <line key={index} class="stop" x1={x1} y1={y1} x2={x2} y2={y2} />;
      })}
      <circle class="hub" cx={x} cy={y} r={r - 30} />
      <path class="clapper" d={`M${x - 9} ${y - r - 12}H${x + 9}L${x} ${y - r + 20}Z`} />
      <text class="result" x={x} y={y + 14} text-anchor="middle">{table.spun === null ? '' : table.spun === '' ? 'between' : (SYMBOLS[table.spun] ?? table.spun)}</text>
      {table.spun !== null && !table.spunValid && <text class="label" x={x} y={y + 44} text-anchor="middle">does not count</text>}
    </g>
  );
}

/** What has no place of its own. */
function Corner({ table, layout }: { table: Table; layout: Layout }) {
  const parts: string[] = [];
  if (table.burned > 0) parts.push(`${table.burned} burned`);
  if (table.closed.length > 0 && layout.shape !== 'board') parts.push('no more bets');
  if (table.over === 'void') parts.push('declared void');
  else if (table.over === 'closed') parts.push('round over');
  return <text class={`corner-text${table.over === 'void' ? ' void' : ''}`} x={layout.shape === 'board' ? 500 : 24} y={layout.shape === 'board' ? 653 : 640} text-anchor={layout.shape === 'board' ? 'middle' : undefined}>{parts.join(' · ')}</text>;
}
