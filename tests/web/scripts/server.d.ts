// What pages and server exchange, made from the server's Structs by `python -m tests.web.scripts.server_types`.
// Do not edit: change the Struct, write this file anew, and `npx tsc` names every line of a script that must follow.

declare namespace Server {
  interface AcceptDice {
    command: "accept-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface AdoptRulebook {
    command: "adopt-rulebook";
    digest: string;
    is_sole_owner?: boolean;
    terms?: number;
  }

  interface Area {
    kind: string;
    number: number;
    name: string;
    state: string;
    why: string;
    clause: string;
    min: number;
    max: number;
    unit: number;
    default: number;
    standing: number;
    may_remove: boolean;
    pays: string;
    vigorish: Charge | null;
    again: number;
    stays: string;
    stays_clause: string;
  }

  interface AreasAnswer {
    kind: "areas";
    id: string;
    areas: Area[];
  }

  interface Breach {
    key: string;
    name: string;
    clause: string;
    by: string[];
  }

  interface BuyIn {
    command: "buy-in";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    cents: number;
    coupon?: number;
    medium?: string;
  }

  interface CallNoRoll {
    command: "call-no-roll";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    reason: string;
  }

  interface CallRoll {
    command: "call-roll";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    total: number;
  }

  interface CallWager {
    command: "call-wager";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    wager: string;
    number?: number;
    owner?: string;
    call: string;
  }

  interface Calls {
    may: string[];
    clause: string;
  }

  interface CardDuty {
    by: string[];
    does: string;
    clause: string;
  }

  interface CardWager {
    kind: string;
    name: string;
    numbers: NumberName[];
    centre: boolean;
    family: string;
    behind: string;
    spots: { [key: string]: SpotAmounts };
  }

  interface ChangeHouse {
    command: "change-house";
    house: { [key: string]: any };
    is_sole_owner?: boolean;
    terms?: number;
    clearance?: number;
  }

  interface Charge {
    says: string;
    is_due_when_made: boolean;
    over: number;
    under: number;
    chip: number;
    clause: string;
  }

  interface ChipInUse {
    cents: number;
    colour: string;
  }

  interface ChooseDice {
    command: "choose-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    chosen: number[];
  }

  interface CloseTable {
    command: "close-table";
    is_sole_owner?: boolean;
  }

  interface Closing {
    version: number;
    number: number;
    nonce_digest: string;
    nonce: string | null;
  }

  interface CoachWords {
    buy_in: string;
    come_out: string;
    offered: string;
    roll: string;
    wait: string;
    point: string;
    odds: string;
    worth: string;
    no_line: string;
  }

  interface CommitDice {
    command: "commit-dice";
    digest: string;
  }

  interface CompleteRoll {
    command: "complete-roll";
    closing: number;
    hash: string;
    key: string;
    nonce: string;
    next_digest: string;
  }

  interface CondemnDice {
    command: "condemn-dice";
    reason: string;
    text?: string;
  }

  interface CondemnedView {
    reason: string;
    text: string;
    clause: string;
  }

  interface ConfirmWager {
    command: "confirm-wager";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    wager: string;
    number?: number;
    owner?: string;
  }

  interface ConsoleData {
    table: string;
    role: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    card: CrewCard;
    dice: string;
    may: string[];
    is_keyed: boolean;
    is_by_slip: boolean;
    signs: { [key: string]: string[] };
    sees_people: boolean;
  }

  interface CorrectRoll {
    command: "correct-roll";
    first: number;
    second: number;
    reason: string;
  }

  interface Credit {
    command: "credit";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    cents: number;
  }

  interface CrewCard {
    regulation: string;
    game: string;
    title: string;
    stickperson: boolean;
    automate: string[];
    no_roll: NoRollCard;
    lies: Reason[];
    cocked: string;
    order: OrderCard;
    offer: OfferCard;
    call: Step;
    settle: Step;
    pass: Step;
    dispute: Step;
    conduct: Breach[];
    dice_sets: DiceSetsCard | null;
    irregularities: IrregularitiesCard | null;
    button: Step;
    notice_minutes: number;
    smallest_chip_cents: number;
    wagers: CardWager[];
    ends: TableEnd[];
    settlement: string;
    duties: CardDuty[];
    chips: ChipInUse[];
  }

  interface DecideDispute {
    command: "decide-dispute";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    first?: number;
    second?: number;
  }

  type DecidedWager = [kind: string, number: number, name: string, cents: number, net: number];

  interface DeclineDice {
    command: "decline-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface DeclineLineWager {
    command: "decline-line-wager";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface DiceCommitted {
    event: "dice-committed/1";
    number: number;
    digest: string;
  }

  interface DiceOut {
    command: "dice-out";
  }

  interface DiceRevealed {
    event: "dice-revealed/1";
    number: number;
    closing: number;
    hash: string;
    key: string;
    nonce: string;
  }

  interface DiceSetView {
    number: number;
    since: string;
    ends: string;
    condemned: CondemnedView | null;
  }

  interface DiceSetsCard {
    by: string[];
    clause: string;
    hours: number;
    reasons: Reason[];
  }

  interface DirectAction {
    command: "direct-action";
    irregularity: number;
    action: string;
  }

  interface DisputeFaces {
    command: "dispute-faces";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface DoneAnswer {
    kind: "done";
    id: string;
    sequence: number;
    hash: string;
    head: Head;
    lines: string[];
  }

  interface EnterPaper {
    command: "enter-paper";
    office: string;
    entry: number;
    act: number;
    paper: string;
    cents?: number;
    about?: string;
  }

  interface Entrant {
    seat: number;
    account: string;
    name: string;
    cents: number;
  }

  interface FeltMark {
    text: string;
    note: string;
  }

  interface Fill {
    command: "fill";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    cents: number;
  }

  interface FinishRound {
    command: "finish-round";
  }

  interface FreezeTable {
    command: "freeze-table";
    reason: string;
    seat?: number;
    shown?: { [key: string]: number };
  }

  interface Frozen {
    reason: string;
    seat: number;
    shown: { [key: string]: number };
  }

  interface Head {
    sequence: number;
    hash: string;
    seal: string;
  }

  interface InDoubtAnswer {
    kind: "in-doubt";
    id: string;
    why: string;
  }

  interface IrregularitiesCard {
    notify: Step;
    direct: Step;
    observe: Step;
  }

  interface Irregularity {
    number: number;
    text: string;
    action: string;
  }

  interface KeyDice {
    command: "key-dice";
    first?: number;
    second?: number;
    first_lie?: string;
    second_lie?: string;
  }

  interface LandDice {
    command: "land-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    first: number;
    second: number;
    first_lie?: string;
    second_lie?: string;
  }

  interface Layout {
    table: View;
    half: View;
    lying: View;
    centre: View;
    numbers: View;
    chips: number[];
    colours: { [key: string]: string };
    points: number[];
    has_tips: boolean;
    calls: { [key: string]: Calls };
    spreads: { [key: string]: number[] };
    coach: CoachWords;
  }

  interface LayoutArea {
    kind: string;
    number: number;
    x: number;
    y: number;
    w: number;
    h: number;
    printed: Printed;
    also: string[];
  }

  interface LeaveSeat {
    command: "leave-seat";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface Limits {
    min: number;
    max: number;
    wagers: { [key: string]: Range };
  }

  interface LimitsNotice {
    wager_cents_min: number;
    wager_cents_max: number;
    at: string;
  }

  interface MakeWager {
    command: "make-wager";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    wager: string;
    number?: number;
    owner?: string;
    cents: number;
    media?: string[];
    coupon?: number;
  }

  interface MarkerView {
    kind: string;
    count: number;
    lit: number[];
  }

  interface Marking {
    kind: string;
    says: string;
    x: number;
    y: number;
    w: number;
    h: number;
  }

  interface News {
    kind: "news";
    from: number;
    sequence: number;
    head: Head | null;
    changed: Partial<Omit<TableView, "settled">> & { settled?: PackedSettled };
    wagers_gone: [number, string, string, number][];
    wagers_up: WagerView[];
    said: Said[];
    own?: OwnView | null;
  }

  interface NoRollCard {
    by: string[];
    clause: string;
    reasons: Reason[];
    no_reason: Reason[];
  }

  interface NoticeLimits {
    command: "notice-limits";
    wager_cents_min: number;
    wager_cents_max: number;
    limits?: { [key: string]: { [key: string]: number } };
    in_minutes?: number;
  }

  interface NumberName {
    number: number;
    name: string;
  }

  interface NumberedSpot {
    kind: string;
    number: number;
    seats: number[];
    is_at_edge: boolean;
    x: number;
    y: number;
    radius: number;
  }

  interface ObserveAction {
    command: "observe-action";
    irregularity: number;
  }

  interface OfferCard {
    by: string[];
    clause: string;
    dice: number;
  }

  interface OfferDice {
    command: "offer-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    dice: number;
  }

  interface OpenTable {
    command: "open-table";
    name: string;
    table?: string;
    house: { [key: string]: any };
    dice?: string;
    automate?: string[];
    buy_in?: string;
    bank_cents?: number;
    is_demo?: boolean;
    dice_digest?: string;
    puts_in_dice?: boolean;
    practice_cents_max?: number;
    terms?: number;
    clearance?: number;
    opener?: Opener | null;
    is_keyed?: boolean;
    requires_dice_out?: boolean;
    points?: PointsMode | null;
  }

  interface Opener {
    office: string;
    entry: number;
    act: number;
    cents: number;
    on_record: number;
  }

  interface OrderCard {
    by: string[];
    clause: string;
    reasons: Reason[];
  }

  interface OrderDicePassed {
    command: "order-dice-passed";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    reason: string;
  }

  interface OwnView {
    role: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    account: string;
    name: string;
    seat?: number;
    rack?: number;
    coupon?: number;
    not_covered?: string[];
    counted_blind?: string[];
    bank?: number;
    drop?: number;
    tip_box?: number;
    owes?: number;
    racks?: { [key: string]: number };
    supervision?: SupervisionView;
    by_slip?: boolean;
  }

  interface PackedSettled {
    players: { [key: string]: [string, string] };
    texts: string[];
    rows: number[][];
  }

  interface PassDice {
    command: "pass-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
  }

  interface Pick {
    number: number;
    name: string;
    pays: string;
  }

  interface PlaceButton {
    command: "place-button";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    wager: string;
    number?: number;
    owner?: string;
  }

  interface PlayedHand {
    account: string;
    table: string;
    table_name: string;
    rules: string;
    hand: number;
    at: string;
    first: number;
    rolls: PlayedRoll[];
  }

  interface PlayedRoll {
    roll: number;
    sequence: number;
    at: string;
    decided: DecidedWager[];
  }

  interface PlayedWager {
    kind: string;
    number: number;
    name: string;
    decided: number;
    won: number;
    cents: number;
    net: number;
  }

  interface PlayerNotice {
    sequence: number;
    at: string;
    table: string;
    kind: string;
    says: string;
    lines: string[];
    cents: number;
    clause: string;
  }

  interface PointsMode {
    tournament: string;
    round: number;
    rolls?: number;
    undecided?: string;
    clauses?: { [key: string]: string };
  }

  interface PointsView {
    tournament: string;
    round: string;
    rolls_left: number;
    has_limits: boolean;
  }

  interface PostedAt {
    x: number;
    lines: number[];
    size: number;
  }

  interface Printed {
    face: string;
    label: string;
    name: string;
    title: string;
    pays: string;
    notes: string[];
    marks: FeltMark[];
    dice: [number, number][];
    lamps: number[];
    picks: Pick[];
    lines: string[];
    odds: string[];
    rate: string;
    vigorish: string;
  }

  interface PutInDice {
    command: "put-in-dice";
  }

  interface Range {
    min: number;
    max: number;
  }

  interface RatePlayer {
    command: "rate-player";
    name: string;
    account?: string;
    average_cents: number;
    minutes: number;
  }

  interface Reason {
    key: string;
    name: string;
    clause: string;
    says: string;
    by: string[];
  }

  interface ReduceWager {
    command: "reduce-wager";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    wager: string;
    number?: number;
    owner?: string;
    cents: number;
  }

  interface Refusal {
    clause: string;
    why: string;
    is_money: boolean;
  }

  interface RefusalView {
    clause: string;
    why: string;
  }

  interface RefusedAnswer {
    kind: "refused";
    id: string;
    refusals: RefusalView[];
  }

  interface ReleaseTable {
    command: "release-table";
    finding: string;
  }

  interface RemoveWager {
    command: "remove-wager";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    wager: string;
    number?: number;
    owner?: string;
    cents?: number;
  }

  interface RenewDice {
    command: "renew-dice";
    reason: string;
    is_sole_owner?: boolean;
    digest?: string;
  }

  interface ReportConduct {
    command: "report-conduct";
    breach: string;
    seat: number;
    role?: string;
    text?: string;
    during?: string;
  }

  interface ReportIrregularity {
    command: "report-irregularity";
    text: string;
  }

  interface ReportShown {
    command: "report-shown";
    freeze: number;
    shown: { [key: string]: number };
  }

  interface Roll {
    command: "roll";
    seat: number;
    nonce_digest?: string;
  }

  interface RollDice {
    command: "roll-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    first: number;
    second: number;
  }

  interface RollView {
    roll: number;
    first: number;
    second: number;
    point: number;
    call: string;
  }

  interface Said {
    sequence: number;
    at: string;
    lines: string[];
    call: string;
    has_notices?: boolean;
  }

  interface SeatEntrants {
    command: "seat-entrants";
    entrants: Entrant[];
  }

  interface SeatPlayer {
    command: "seat-player";
    seat: number;
    account: string;
    name: string;
    is_employee?: boolean;
    patron?: string;
    resembles?: string;
    is_somebody_else?: boolean;
  }

  interface SeatView {
    seat: number;
    name: string;
    state: string;
  }

  interface Settle {
    command: "settle";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
  }

  interface SettledWager {
    seat: number;
    account: string;
    name: string;
    kind: string;
    number: number;
    owner: string;
    outcome: string;
    cents: number;
    winnings: number;
    clause: string;
    part?: string;
    pays?: string;
    vigorish?: number;
    stays?: number;
    to?: number;
  }

  interface ShiftTotals {
    table: string;
    name: string;
    status: string;
    players: number;
    rolls: number;
    is_blind?: boolean;
    is_covered?: boolean;
    bank_before?: number | null;
    fills?: number | null;
    drop?: number | null;
    win?: number | null;
    bank?: number | null;
    layout?: number | null;
    tips?: number | null;
  }

  interface SignOff {
    name: string;
    pin: string;
  }

  interface SitDown {
    command: "sit-down";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface SocketMessage {
    id?: string;
    command?: TakeSeat | LeaveSeat | StandUp | SitDown | BuyIn | Fill | Credit | MakeWager | ReduceWager | RemoveWager | CallWager | PlaceButton | ConfirmWager | OfferDice | AcceptDice | DeclineDice | ChooseDice | SurrenderDice | OrderDicePassed | DeclineLineWager | ThrowDice | LandDice | CallNoRoll | DisputeFaces | DecideDispute | CallRoll | Settle | PassDice | RollDice | OpenTable | CloseTable | SeatPlayer | DiceOut | KeyDice | CorrectRoll | Roll | TakeNonce | CompleteRoll | CommitDice | RenewDice | FreezeTable | ReportShown | ReleaseTable | NoticeLimits | AdoptRulebook | ChangeHouse | ReportConduct | PutInDice | CondemnDice | ReportIrregularity | DirectAction | ObserveAction | EnterPaper | RatePlayer | SeatEntrants | FinishRound | null;
    sign_off?: SignOff | null;
    again?: boolean;
    ask?: "areas" | "table" | "outcome" | null;
    seen?: number | null;
    nonce?: string;
  }

  interface SpotAmounts {
    least: number;
    unit: number;
  }

  interface StandUp {
    command: "stand-up";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface Step {
    by: string[];
    clause: string;
  }

  interface SupervisionView {
    dice: DiceSetView | null;
    needed: Refusal | null;
    irregularities: Irregularity[];
    past_posted: WagerPastPosted[];
  }

  interface SurrenderDice {
    command: "surrender-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface TableEnd {
    name: string;
    seats: number[];
  }

  interface TableView {
    id: string;
    name: string;
    regulation: string;
    game: string;
    house: string;
    is_demo: boolean;
    practice: number;
    dice: string;
    commitment: DiceCommitted | null;
    closing: Closing | null;
    proof: DiceRevealed | null;
    buy_in: string;
    is_keyed: boolean;
    requires_dice_out: boolean;
    points: PointsView | null;
    automate: string[];
    status: string;
    rules: string;
    layout: string;
    limits: Limits;
    notice: LimitsNotice | null;
    frozen: Frozen | null;
    stopped: string;
    puck: number;
    phase: "come_out" | "point" | "clearing";
    shooter: number;
    dice_are: "cup" | "offered" | "accepted" | "held" | "air" | "rest" | "called" | "centre";
    offered_to: number;
    is_disputed: boolean;
    faces: [number, number];
    seats: SeatView[];
    places: number;
    markers: MarkerView[];
    rolls: RollView[] | null;
    histogram: number[] | null;
    roll: number;
    hand: number;
    settled: SettledWager[];
    wagers: WagerView[];
  }

  interface TakeNonce {
    command: "take-nonce";
    closing: number;
    nonce: string;
  }

  interface TakeSeat {
    command: "take-seat";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    is_employee?: boolean;
  }

  interface ThrowDice {
    command: "throw-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface View {
    width: number;
    height: number;
    areas: LayoutArea[];
    marks: Marking[];
    spots: NumberedSpot[];
    posted: PostedAt | null;
  }

  interface WagerPastPosted {
    event: "wager-past-posted/1";
    roll: number;
    seat: number;
    owner: string;
    wager: string;
    number: number;
    cents: number;
    clause: string;
  }

  interface WagerView {
    seat: number;
    owner: string;
    kind: string;
    number: number;
    cents: number;
    working: string;
    vigorish: number;
    coupon: number;
    pending: string[];
    late: boolean;
    progress: number[];
    is_off: boolean;
    name: string;
  }

  interface WholeTable {
    kind: "table";
    sequence: number;
    table: TableView;
    own: OwnView | null;
    head: Head;
    at: string;
  }

  type TableCommand =
    | TakeSeat
    | LeaveSeat
    | StandUp
    | SitDown
    | BuyIn
    | Fill
    | Credit
    | MakeWager
    | ReduceWager
    | RemoveWager
    | CallWager
    | PlaceButton
    | ConfirmWager
    | OfferDice
    | AcceptDice
    | DeclineDice
    | ChooseDice
    | SurrenderDice
    | OrderDicePassed
    | DeclineLineWager
    | ThrowDice
    | LandDice
    | CallNoRoll
    | DisputeFaces
    | DecideDispute
    | CallRoll
    | Settle
    | PassDice
    | RollDice
    | OpenTable
    | CloseTable
    | SeatPlayer
    | DiceOut
    | KeyDice
    | CorrectRoll
    | Roll
    | TakeNonce
    | CompleteRoll
    | CommitDice
    | RenewDice
    | FreezeTable
    | ReportShown
    | ReleaseTable
    | NoticeLimits
    | AdoptRulebook
    | ChangeHouse
    | ReportConduct
    | PutInDice
    | CondemnDice
    | ReportIrregularity
    | DirectAction
    | ObserveAction
    | EnterPaper
    | RatePlayer
    | SeatEntrants
    | FinishRound;

  type ServerMessage =
    | WholeTable
    | News
    | AreasAnswer
    | DoneAnswer
    | RefusedAnswer
    | InDoubtAnswer;
}
