// What pages and server exchange, made from the server's Structs by `python -m tests.web.scripts.server_types`.
// Do not edit: change the Struct, write this file anew, and `npx tsc` names every line of a script that must follow.

declare namespace Server {
  interface AcceptDice {
    command: "accept-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface AccountEntries {
    as_of: number;
    behind: number;
    fault: string;
    table: string;
    entries: WordedEntry[];
    earlier: number;
  }

  interface Act {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    name: string;
    page: string;
    by: string[];
    thing?: string;
    new?: boolean;
    many?: boolean;
    ended?: boolean;
    states?: string[];
    to?: string;
    stays?: boolean;
    renews?: boolean;
    clears?: string[];
    apart?: Apart | null;
    restores?: boolean;
    is_fact?: boolean;
    on_paper?: boolean;
    fields?: { [key: string]: Field };
    signs?: { [key: string]: Signature };
    needs?: { [key: string]: Condition };
    like?: string[];
    gate?: string;
    joins?: string;
    quits?: string;
    takes?: string;
    keeps?: string[];
    moves?: Moving | null;
    counts?: Counting | null;
    pays?: { [key: string]: Paying };
    tallies?: Tallying | null;
    cash?: CashMoving | null;
    told?: string;
    answers?: string[];
    enters?: Entering | null;
    tells?: string[];
    sets?: string[];
    prints?: Printing | null;
    batch?: Batch | null;
    unlogged?: boolean;
    corrected?: Corrected | null;
    uncorrected?: string;
    corrects?: string;
    incident?: string;
    involves?: string;
    in_batch?: boolean;
    taken_back?: string;
    matter?: string;
  }

  interface ActCompleted {
    event: "act-completed/1";
    number: number;
    changes?: Change[];
    moves?: StockMove[];
    variances?: Variance[];
    values?: { [key: string]: any };
    figures?: FigureMove[];
    is_kept?: boolean;
    corrects?: Correction | null;
    recalled?: Figure | null;
    taken_up?: TakenUp[];
  }

  interface ActDone {
    event: "act-done/1";
    number: number;
    act: string;
    kind: string;
    things: string[];
    fields: { [key: string]: any };
    occurred: string;
    by: string;
    name: string;
    role: string;
    waits: string[];
    clause: string;
    paper?: { [key: string]: string };
    series?: string;
    moments?: ActMoments | null;
    word?: "" | "favourable" | "unfavourable" | "delivery" | "notice";
    told?: "" | "stamp" | "account" | "house";
    body?: string;
    serves?: string[];
    outage?: string;
    slip?: string;
    teller?: string;
  }

  interface ActMoments {
    first: string;
    meets: string;
    frees: string;
    is_late?: boolean;
    owed?: { [key: string]: string };
  }

  interface ActSigned {
    event: "act-signed/1";
    number: number;
    part: string;
    by: string;
    name: string;
    role: string;
    clause: string;
    fields?: { [key: string]: any };
    slip?: string;
  }

  interface ActVoided {
    event: "act-voided/1";
    number: number;
    reason: string;
    is_on_record?: boolean;
  }

  interface AddOn {
    cents: number;
    points: number;
    most: number;
    rounds: string[];
  }

  interface AdoptRulebook {
    command: "adopt-rulebook";
    digest: string;
    is_sole_owner?: boolean;
    terms?: number;
  }

  interface Apart {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    kept_in: string;
    by: string[];
    ends?: string;
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

  interface AsOf {
    as_of: number;
    behind: number;
    fault: string;
  }

  interface AskedPerson {
    id: string;
    kind: string;
    person: string;
    why: string;
    due: string;
    is_overdue: boolean;
    acts: string[];
  }

  interface Assertion {
    credential: string;
    client_data: string;
    authenticator_data: string;
    signature: string;
  }

  interface Award {
    entry: number;
    place: number;
    pool_cents?: number;
    house_cents?: number;
    item?: string;
    item_cents?: number;
    voucher?: string;
    voucher_cents?: number;
  }

  interface Batch {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    lines: string;
    slip: string;
    blank: string;
    out: string;
    used: string;
    missing: string;
    incident: string;
    slip_acts?: string[];
    all_batches?: boolean;
    within?: Length | null;
    late?: string;
    proof?: string;
    parties?: boolean;
    asks?: string;
    is_quiet?: boolean;
    undisputed?: boolean;
  }

  interface BelowPar {
    table: string;
    short: { [key: string]: number };
    cents: number;
    counted: string;
    act: string;
  }

  interface BestAsked {
    house: LabHouse;
    menu: string;
    unit_cents: number;
    purpose: "goal" | "finish" | "least_loss" | "longest";
    bankroll_cents: number;
    goal_cents?: number | null;
    rolls?: number | null;
  }

  interface Board {
    name: string;
    event: string;
    round: string;
    phase: string;
    ends: string;
    tables: BoardTable[];
    lines: BoardLine[];
    prizes: BoardPrize[];
    pool_cents: number;
    entries: number;
    colours: { [key: string]: number };
    undecided: string;
    rolls: number;
    minutes: number;
    currency: string;
  }

  interface BoardLine {
    place: number;
    entry: number;
    name: string;
    points: number | null;
    table?: string;
    seat?: number;
    is_out?: boolean;
  }

  interface BoardPrize {
    place: number;
    cents: number;
    item: string;
    voucher: string;
    basis_points: number;
  }

  interface BoardTable {
    table: string;
    rolls_left: number;
    is_done: boolean;
    waits: string;
  }

  interface BodyAssigned {
    event: "body-assigned/1";
    account: string;
    body: string;
  }

  interface BodyKeyGiven {
    event: "body-key-given/1";
    body: string;
    key: string;
  }

  interface BodyKeyRevoked {
    event: "body-key-revoked/1";
    body: string;
    key: string;
    reason: string;
  }

  interface Breach {
    clause: string;
    key: string;
    problem: string;
  }

  interface BrokenGlass {
    until: string;
    reason: string;
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

  interface CashAnswer {
    day: string;
    patrons: PatronCash[];
  }

  interface CashMatter {
    id: string;
    kind: string;
    patron: string;
    day: string;
    why: string;
    parts: CashPart[];
  }

  interface CashMoving {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    to: "house" | "patron";
    field: string;
    patron: string;
    unless?: string;
    only?: string;
    by_entry?: boolean;
  }

  interface CashPart {
    who: string;
    at: string;
    cents: number;
    where: string;
    entered?: string;
    act?: number;
    by?: string;
    taken_back?: number;
    corrected?: string;
    corrected_by?: number;
    office?: string;
  }

  interface CashReached {
    event: "cash-reached/1";
    report: string;
    patron: string;
    day: string;
    cents_in: number;
    cents_out: number;
    above: number;
  }

  interface Change {
    kind: string;
    id: string;
    state: string;
    facts: { [key: string]: any };
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
    min: number;
  }

  interface CheckAsked {
    house: LabHouse;
    strategy: LabStrategy;
    with_costs?: boolean;
  }

  interface CheckedHouse {
    house: { [key: string]: any };
    breaches: Breach[];
    toml: string;
    sha256: string;
  }

  interface Checklist {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    name: string;
    thing?: string;
    items: { [key: string]: Item };
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

  interface CloseMeter {
    command: "close-meter";
    wager: string;
    reason: string;
    above?: string;
    into?: string;
    agreed?: { [key: string]: string };
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
    throw: string;
    wait: string;
    point: string;
    odds: string;
    worth: string;
    no_line: string;
  }

  interface ColourPoints {
    colour: string;
    points: number;
  }

  interface ComingLaw {
    house: string;
    text: ComingText;
  }

  interface ComingText {
    day: string;
    by: string[];
    breaches: string[];
  }

  interface CommitDice {
    command: "commit-dice";
    digest: string;
  }

  interface CompEarned {
    event: "comp-earned/1";
    credit: Change;
    move: StockMove;
  }

  interface CompleteRoll {
    command: "complete-roll";
    closing: number;
    hash: string;
    key: string;
    nonce: string;
    next_digest: string;
  }

  interface ComplianceAnswer {
    matters: KeptMatter[];
    examiners: Examiner[];
  }

  interface CompsAnswer {
    as_of: number;
    behind: number;
    fault: string;
    period: string;
    span: string;
    by: string;
    comps: Reinvestment[];
    names: { [key: string]: string };
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

  interface Condition {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    says: string;
    done?: string;
    undone?: string;
    since?: string;
    before?: string;
    again?: string;
    never?: string;
    lapses?: string;
    each?: boolean;
    linked?: boolean;
    lapsed?: string;
    ahead?: string;
    planned?: string;
    clock?: string;
    state?: string[];
    fact?: string;
    word?: string;
    same?: string[];
    value?: string;
    fewer?: string;
    sole?: string | string[];
    is_open?: boolean;
    has?: string;
    least?: number;
    most?: number | null;
    on_duty?: string;
    valid?: string;
    held?: string | string[];
    paper?: string;
    printed?: string;
    as_dealt?: boolean;
    listed?: string;
    stocked?: string;
    approval?: string;
    apart?: string[];
    among?: string;
    cashless?: boolean;
    unlike?: string;
    carries?: string;
    uninvolved?: boolean;
    own?: string;
    scheduled?: string;
    settled?: "" | "over" | "begun" | "closers" | "boxes" | "slips" | "incidents";
    bars?: string;
    cleared?: string;
    of?: string | string[];
    kind?: string;
    but_for?: string[];
    only_for?: string[];
    when?: string;
    unless?: string;
    ended?: string;
    offered?: string;
    is_noted?: boolean;
    mend?: string;
  }

  interface ConductBreach {
    key: string;
    name: string;
    clause: string;
    by: string[];
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
    sees_shift: boolean;
    players: string[];
    tournament: string;
  }

  interface CorrectRoll {
    command: "correct-roll";
    first: number;
    second: number;
    reason: string;
  }

  interface Corrected {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    fields: string[];
    thing?: boolean;
    act?: string;
    name?: string;
    by?: string[];
    days?: number | null;
    until?: string[];
    incident?: string;
    missing?: string;
    signs?: { [key: string]: Signature };
  }

  interface Correction {
    first: number;
    last: number;
    was: { [key: string]: any };
    now: { [key: string]: any };
  }

  interface Cost {
    line: string;
    without: number | null;
  }

  interface Countable {
    act: string;
    thing: string;
    wrong: Hindrance[];
    waits: number;
    last: string;
    last_by: string[];
  }

  interface Counting {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    field: string;
    also?: string[];
    stock?: string;
    place?: string;
    kind?: string;
    states?: string[];
    incident?: string;
    differs?: string;
    against?: string;
    is_result?: boolean;
    as_of?: boolean;
    missed?: string;
    enough?: boolean;
    is_whole?: boolean;
    corrects?: boolean;
    listed?: string;
    unknown?: string;
    unread?: string;
  }

  interface CountsAnswer {
    day: string;
    shift: string;
    ending: string;
    counts: Countable[];
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
    conduct: ConductBreach[];
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

  type CurvePoint = [rolls: number, log: number, sequence: number];

  interface DayForm {
    form: string;
    number: string;
    title: string;
    about: string;
    status: string;
  }

  interface DayFormsAnswer {
    day: string;
    forms: DayForm[];
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

  interface DiceAlarm {
    sequence: number;
    at: string;
    rolls: number;
    evidence: number;
    sets: number;
    one_in: number;
  }

  interface DiceAlarmed {
    event: "dice-alarmed/1";
    table: string;
    number: number;
    rolls: number;
    evidence: number;
    sets: number;
    one_in: number;
  }

  interface DiceCommitted {
    event: "dice-committed/1";
    number: number;
    digest: string;
  }

  interface DiceEvidenceAnswer {
    as_of: number;
    behind: number;
    fault: string;
    one_in: number;
    in_use: number;
    bound: number;
    life_hours: number | null;
    false_alarms_a_year: number | null;
    sets: DiceSetEvidence[];
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

  interface DiceSetEvidence {
    table: string;
    number: number;
    subject: string;
    at: string;
    dice: string[];
    rolls: number;
    evidence: number;
    log: number;
    parts: EvidencePart[];
    life: SetLife | null;
    found: FaultFound[];
    highest_log: number;
    bound: number;
    is_in_use: boolean;
    alarm: DiceAlarm | null;
    counts: number[];
    curve: CurvePoint[];
    first: number;
    last: number;
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

  interface DiceUnaccounted {
    event: "dice-unaccounted/1";
    table: string;
    number: number;
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

  interface DrawnSeat {
    entry: number;
    table: string;
    seat: number;
  }

  interface Due {
    clock: string;
    name: string;
    about: string;
    owes: string;
    to: string[];
    due: string;
    is_overdue: boolean;
    clause: string;
    acts: string[];
    then: string;
  }

  interface ElectionField {
    key: string;
    group: string;
    label: string;
    kind: string;
    value: any;
    bounds: string;
    clauses: string[];
    note: string;
    options: FieldOption[];
  }

  interface ElectionForm {
    house: { [key: string]: any };
    breaches: Breach[];
    toml: string;
    sha256: string;
    fields: ElectionField[];
  }

  interface Embedded {
    office: string;
    subject: string;
    about: string;
    account: string;
    name: string;
    groups: string[];
    is_clerk: boolean;
    clerks: string[];
    reads_folders: boolean;
    reads_compliance: boolean;
    writes_compliance: boolean;
    reads_results: boolean;
    reads_accounts: boolean;
    reads_players: boolean;
    reads_dice: boolean;
    reads_theft: boolean;
    reads_investigations: boolean;
    reads_log: boolean;
    is_owner: boolean;
    opens_tables: boolean;
    signs_kept_here: string;
    is_sole_owner: boolean;
    is_set_up: boolean;
    gate: string;
    id_pattern: string;
    place: { [key: string]: string };
    spelled: { [key: string]: string };
    parts: { [key: string]: string[] };
  }

  interface EmbeddedElections {
    regulations: RegulationGames[];
    first: string;
    drafts: boolean;
    acts_as: string;
    fixed_while_open: string[];
  }

  interface EmbeddedHouse {
    regulations: RegulationGames[];
    crew_roles: string[];
    acts_as: string;
    adopts: boolean;
    can_open: boolean;
  }

  interface EmbeddedTournament {
    id: string;
    board: string;
    account: string;
    is_director: boolean;
    is_cash: boolean;
    is_crew: boolean;
    is_staff: boolean;
    is_counter: boolean;
    causes: string[];
  }

  interface EmbeddedWatch {
    tables: { [key: string]: Filing };
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

  interface EnteredAct {
    column: string;
    act: number;
    about: string;
    cents: number;
    is_correction: boolean;
  }

  interface Entering {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    through: string;
    named: string;
    list: string;
    states?: string[];
    incident?: string;
    left?: string[];
    gone?: string;
  }

  interface Entrant {
    seat: number;
    account: string;
    name: string;
    cents: number;
  }

  interface Estimate {
    rules: string;
    day: string;
    shift: string;
    table: string;
    player: string;
    name: string;
    average_cents: number;
    minutes: number;
    sequence: number;
    by: string;
    rating?: string;
    since?: string;
    until?: string;
    least_cents?: number;
    most_cents?: number;
    style?: string;
    parts?: { [key: string]: number };
    play?: EstimatedPlay | null;
  }

  interface EstimatedPlay {
    rolls: number;
    theoretical: number;
    theoretical_low: number;
    theoretical_high: number;
    variance: number;
  }

  interface Event {
    name: string;
    first_day: string;
    last_day: string;
    starts: string;
    ends?: string;
    fee_cents?: number;
    buy_in_cents?: number;
    points: number;
    fee_in_kind?: InKind[];
    buy_in_in_kind?: InKind[];
    is_by_voucher?: boolean;
    entries_max: number;
    rebuy?: Rebuy | null;
    add_on?: AddOn | null;
    reentries_max?: number;
    rounds: Round[];
    places: Place[];
  }

  interface EventKinds {
    events: string[];
  }

  interface EvidencePart {
    names: string[];
    rolls: number;
    evidence: number;
  }

  interface Examiner {
    account: string;
    at: string;
    by: string;
    until: string;
  }

  interface Facility {
    name: string;
    zone: string;
    country: string;
    subdivision: string;
    day_begins: string;
    shifts: Shift[];
    areas: string[];
    closed_days: string[];
    business_days: string[];
  }

  interface FaultFound {
    fault: string;
    law: string;
    now: number[];
    life: number | null;
    is_beyond: boolean;
  }

  interface FeesView {
    expected_cents: number;
    counted_cents: number | null;
    is_settled: boolean;
    must_agree: boolean;
  }

  interface FeltMark {
    text: string;
    note: string;
  }

  interface Field {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    name: string;
    type: "text" | "yes" | "flag" | "number" | "cents" | "choice" | "some" | "day" | "moment" | "document" | "thing" | "things" | "ids" | "person" | "people" | "units" | "checklist" | "per_thing" | "no" | "times" | "shares" | "house" | "sheet" | "act" | "codes" | "lines";
    of?: string[];
    of_areas?: boolean;
    of_shifts?: boolean;
    of_forms?: boolean;
    never?: string[];
    min?: number | null;
    max?: number | null;
    min_value?: string;
    doer?: boolean;
    adds?: boolean;
    sticks?: boolean;
    every?: boolean;
    states?: string[];
    to?: string;
    total?: string;
    valid?: string[];
    optional?: boolean;
    unless?: string;
    only?: string;
    lower?: string;
    differs?: string[];
    shown?: string[];
    least?: string;
    highest?: string;
    covers?: string;
    earlier?: boolean;
    no_less_than?: string;
    stock?: string;
    past?: boolean;
    ahead?: boolean;
    another?: boolean;
    own?: boolean;
    through?: string;
    once?: boolean;
    repeated?: string;
    repeated_with?: string;
    is_unwanted?: boolean;
    unit?: string;
  }

  interface FieldOption {
    value: string | number | boolean;
    label: string;
    note: string;
  }

  interface Figure {
    act: string;
    kind: string;
    things: string[];
    fields: { [key: string]: any };
    last: number;
    at: string;
    occurred: string;
    moved: MovedFigure[];
  }

  interface FigureMove {
    of: number;
    field: string;
    stock: string;
    source: string;
    target: string;
    settles?: boolean;
    since?: number[];
  }

  interface Figures {
    scope: "house" | "game" | "pit" | "shift" | "table" | "crew" | "dice" | "player" | "visit" | "hand";
    subject: string;
    period: "shift" | "day" | "month" | "year";
    span: string;
    won: number;
    theoretical: number;
    luck: number;
    carried: number;
    deviation: number;
    deviations: number | null;
    one_in: number | null;
    low: number;
    high: number;
    rolls: number;
    unkeyed: number;
    points: number;
    coverage: number | null;
    decided: number;
    wagered: number;
    corrections: number;
    corrected: number;
    seconds: number;
    exact: { [key: string]: string };
    first: number;
    last: number;
    stream: string;
    at: string;
    crew: string;
    dice: string;
  }

  interface FileCheck {
    commitments: number;
    first: string;
    last: string;
    rows: number;
    findings: string[];
  }

  interface FileCommitted {
    event: "file-committed/1";
    day: string;
    commitment: string;
  }

  interface Filing {
    name: string;
    irregularities: IrregularitiesCard | null;
    conduct: ConductBreach[];
    condemn: Reason[] | null;
    dispute: string;
    told: ToldProgress[];
  }

  interface Fill {
    command: "fill";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    cents: number;
  }

  interface FinishRound {
    command: "finish-round";
  }

  interface FormName {
    name: string;
    thing: string;
    acts: string[];
    is_log: boolean;
    manual: string;
    manual_acts: string[];
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

  interface FurthestOff {
    subject: string;
    span: string;
    luck: number;
    looked_at: number;
    one_in: number;
  }

  interface GateAnswer {
    is_green: boolean;
    status: string;
    items: GateItem[];
    left_out: { [key: string]: string };
  }

  interface GateItem {
    key: string;
    clause: string;
    asks: string;
    wrong: string[];
    mend: string;
    value: string;
    is_ban: boolean;
  }

  interface Gated {
    table: string;
    green: number;
    items: number;
    is_live: boolean | null;
    status: string;
    pit: string;
  }

  interface HandAnswer {
    as_of: number;
    behind: number;
    fault: string;
    hand: number;
    entries: WordedEntry[];
    next: number;
  }

  interface HandsAnswer {
    as_of: number;
    behind: number;
    fault: string;
    hands: ListedHand[];
    next: number;
  }

  interface HandsAsked {
    house: LabHouse;
    session: LabSession;
    strategy: LabStrategy;
    seed?: number;
    rolls?: number;
  }

  interface Head {
    sequence: number;
    hash: string;
    seal: string;
  }

  interface HeldRound {
    number: number;
    event_name: string;
    name: string;
    entries: number[];
    tables: string[];
    version: number;
    phase?: string;
    seats?: DrawnSeat[];
    stacks?: { [key: string]: number };
    started?: string;
    day?: string;
    points?: { [key: string]: number };
    house?: { [key: string]: number };
    advance?: number[];
    prepared?: string;
    promised?: { [key: string]: string };
    nonces?: { [key: string]: string };
    cut_version?: number;
    cut_level?: number[];
    cut_through?: number[];
  }

  interface HeldVoucher {
    number: number;
    entry: number;
    event_name: string;
    fee_cents: number;
    buy_in_cents: number;
    is_prize: boolean;
    state?: string;
  }

  interface Hindrance {
    clause: string;
    why: string;
  }

  interface HoldPowerShape {
    table: string;
    shifts: number;
    deviation: number;
    smallest: number;
    share: number | null;
  }

  interface InDoubtAnswer {
    kind: "in-doubt";
    id: string;
    why: string;
  }

  interface InKind {
    item: string;
    cents: number;
  }

  interface IncidentOpened {
    event: "incident-opened/1";
    id: string;
    clause: string;
    why: string;
    about: string;
    act?: number;
    people?: string[];
    result?: string;
  }

  interface InvestigationsAnswer {
    as_of: number;
    behind: number;
    fault: string;
    investigations: ListedInvestigation[];
    earlier: number;
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

  interface Item {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    says: string;
    unless?: string;
    only?: string;
    offered?: string;
  }

  interface ItemStanding {
    key: string;
    area: string;
    says: string;
    status: "held" | "no entry yet" | "not set" | "not elected" | "not covered";
    held_by: string[];
    evidence: string[];
    tests: string[];
    why: string;
    source: string;
  }

  interface ItemsLeftOut {
    event: "items-left-out/1";
    items: string[];
  }

  interface KeptMatter {
    matter: CashMatter;
    opened: string;
    state: string;
    notes: Note[];
  }

  interface KeyDice {
    command: "key-dice";
    first?: number;
    second?: number;
    first_lie?: string;
    second_lie?: string;
  }

  interface KnownEntry {
    number: number;
    event_name: string;
    name: string;
    account: string;
    fee: Paid;
    buy_in: Paid;
    status?: string;
    points?: number;
    waiting?: number;
    is_back?: boolean;
    bought?: { [key: string]: number };
    chips_paid?: { [key: string]: number };
    round?: number;
    tie_break?: number;
    has_signed_in?: boolean;
    voucher?: number;
  }

  interface KnownStandard {
    standard: string;
    name: string;
    items: number;
    held: number;
    no_entry_yet: number;
    not_set: number;
    not_elected: number;
    not_covered: number;
  }

  interface KnownThing {
    kind: string;
    id: string;
    state: string;
    facts: { [key: string]: any };
    since: string;
    told: { [key: string]: number } | null;
  }

  interface LabBest {
    line: "best";
    purpose: string;
    menu: string;
    facts: [string, string][];
    value: number;
    gap: number;
    acts: string[];
    first_cents: number;
    step_cents: number;
    columns: number;
    bankroll_cents: number;
    rows: LabBestRow[];
    is_cut: boolean;
  }

  interface LabBestRow {
    position: string;
    puck: number;
    runs: [number, number, number, number][];
  }

  interface LabCatalogue {
    regulations: LabRegulation[];
    strategies: LabKnown[];
  }

  interface LabCheck {
    line: "check";
    name: string;
    description: string;
    faults: Refusal[];
    notes: string[];
    seen: string;
    states: number;
    is_all: boolean;
    costs: Cost[];
    parameters: { [key: string]: string };
  }

  interface LabCost {
    loss_cents: number;
    action_cents: number;
    edge_on_action: number | null;
    edge_on_initial: number | null;
    average_wager_cents: number | null;
    loss_cents_per_hour: number | null;
    pace: number;
  }

  interface LabFan {
    line: "fan";
    shares: number[];
    rolls: number[];
    cents: number[][];
    mean_cents: number[];
    is_cut: boolean;
  }

  interface LabHand {
    number: number;
    began_cents: number;
    rolls: LabRoll[];
  }

  interface LabHands {
    line: "hands";
    name: string;
    seed: number;
    layout: Layout;
    hands: LabHand[];
    ending: string;
    limits: [number, number];
  }

  interface LabHouse {
    regulation: string;
    game?: string;
    elections?: string;
  }

  interface LabKnown {
    name: string;
    description: string;
    source: string;
    parameters: { [key: string]: string };
    about: { [key: string]: string };
    text: string;
  }

  interface LabLaw {
    line: "law";
    name: string;
    states: [string, number][];
    terms: string;
    policy: string;
    mean_cents: number;
    sd_cents: number;
    cost: LabCost;
    why_no_law: string;
    ruin: number | null;
    goal: number | null;
    stop: number | null;
    ahead: number | null;
    quantiles: [number, number][];
    mean_rolls: number | null;
    mean_rolls_to_ruin: number | null;
    error: number | null;
    atoms: [number, number, number, number, number][];
    step_cents: number;
    by_roll: [number, number, number, number, number][];
    notes: string[];
  }

  interface LabNext {
    line: "next";
    strategy: number;
  }

  interface LabProgress {
    line: "progress";
    what: string;
    done: number;
    of: number | null;
  }

  interface LabReady {
    line: "ready";
  }

  interface LabRefused {
    line: "refused";
    refusals: Refusal[];
  }

  interface LabRegulation {
    name: string;
    title: string;
    games: string[];
    currency: string;
  }

  interface LabRoll {
    roll: number;
    first: number;
    second: number;
    title: string;
    puck: number;
    puck_after: number;
    wishes: ToldWish[];
    acts: string[];
    decided: string[];
    up: { [key: string]: any }[];
    left: { [key: string]: any }[];
    equity_cents: number;
    is_sitting_out: boolean;
  }

  interface LabSession {
    bankroll_cents: number;
    rolls?: number | null;
    decisions?: number | null;
    hands?: number | null;
    goal_cents?: number | null;
    shooter_loss_cents?: number | null;
    stop_loss_cents?: number | null;
    trailing_stop_cents?: number | null;
    line_wins?: number | null;
    line_losses?: number | null;
    short?: "stop" | "ride" | "reduce";
  }

  interface LabStrategy {
    played?: string;
    file?: string;
  }

  interface LabWaiting {
    line: "waiting";
    before: number;
  }

  interface LandDice {
    command: "land-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    first: number;
    second: number;
    first_lie?: string;
    second_lie?: string;
  }

  interface LawsAsked {
    house: LabHouse;
    session: LabSession;
    strategies: LabStrategy[];
    pace?: number;
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
    currency: string;
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

  interface LedgerAnswer {
    sequence: number;
    balances: { [key: string]: number };
  }

  interface LedgerTold {
    event: "ledger-told/1";
    act: number;
    table: string;
    paper: string;
    counted: number;
    ledger: number;
    layout?: number;
  }

  interface Length {
    count: number;
    unit: "minutes" | "hours" | "days" | "business_days" | "months" | "years" | "shifts";
  }

  interface LevelGroup {
    how: string;
    entries: number[];
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

  interface ListedHand {
    number: number;
    shooter: number;
    name: string;
    rolls: number;
    first: number;
    last: number;
    at: string;
    hand: number;
  }

  interface ListedInvestigation {
    id: string;
    state: string;
    scope: "house" | "game" | "pit" | "shift" | "table" | "crew" | "dice" | "player" | "visit" | "hand";
    subject: string;
    month: string;
    opened: string;
    closed: string;
    why: string;
    finding: string;
    outcome: string;
    people: string[];
  }

  interface ListedSeat {
    seat: number;
    name: string;
  }

  interface ListedTable {
    id: string;
    name: string;
    regulation: string;
    game: string;
    status: string;
    dice: string;
    buy_in: string;
    is_demo: boolean;
    practice: number;
    limits: Range;
    places: number;
    players: number;
    seats: ListedSeat[];
    puck: number;
    shooter: number;
    roll: number;
    rulebook: string;
    rulebook_installed: string;
    stopped: string;
    coming: ComingText[];
  }

  interface LogEntry {
    sequence: number;
    stream: string;
    version: number;
    at: string;
    actor: string;
    role: string;
    signed_by: string;
    id: string;
    hand: number;
    rules: string;
    command: any;
    events: { [key: string]: any }[];
    format: number;
    hash: string;
    seal: string;
    lines: string[];
    name: string;
    signer: string;
    clauses: string[];
  }

  interface LogPage {
    as_of: number;
    behind: number;
    fault: string;
    entries: LogEntry[];
    next: number;
  }

  interface LotView {
    promised: number[];
    waits_for: number[];
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
    meter?: number;
  }

  interface Marking {
    kind: string;
    says: string;
    x: number;
    y: number;
    w: number;
    h: number;
  }

  interface Matter {
    table: string;
    name: string;
    kind: string;
    text: string;
    clause: string;
  }

  interface MattersAnswer {
    matters: Matter[];
  }

  interface Missing {
    key: string;
    name: string;
    clause: string;
  }

  interface MissingSlip {
    number: string;
    form: string;
    handed_to: string;
    outage: string;
    since: string;
  }

  interface MovedFigure {
    order: number;
    field: string;
    stock: string;
    source: string;
    target: string;
    occurred?: string;
  }

  interface Moving {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    stock: string;
    field: string;
    source: string;
    target: string;
    missing?: string;
    lost?: string;
    back?: string;
    as_of?: boolean;
  }

  interface NamedSum {
    drop: number;
    win: number;
    fills: number;
    credits: number;
    days: number;
    unknown: number;
    ledger_win: number;
    difference: number;
    covered: number;
    corrections: number;
    hold: number | null;
    name: string;
  }

  interface NewestHead {
    sequence: number;
    hash: string;
    seal: string;
    log_id: string;
    public_key: string;
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

  interface Note {
    matter: string;
    at: string;
    by: string;
    name: string;
    step: "note" | "close" | "report" | "open";
    text: string;
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

  interface OfficeAnswer {
    name: string;
    facility: Facility | null;
    values: { [key: string]: any };
    bodies: { [key: string]: string };
    body_keys: { [key: string]: string };
    words: { [key: string]: "favourable" | "unfavourable" | "delivery" | "notice" };
    takes_two_owners: string[];
    left_out: string[];
    practice: { [key: string]: string };
    acts: { [key: string]: Act };
    things: { [key: string]: Thing };
    stocks: { [key: string]: Stock };
    checklists: { [key: string]: Checklist };
    tellings: { [key: string]: Telling };
    papers: { [key: string]: PaperName };
    forms: { [key: string]: FormName };
    roles: { [key: string]: RoleGroup };
    unset: string[];
    asked: { [key: string]: Value };
    needed: { [key: string]: { [key: string]: string } };
    dice_sets: { [key: string]: number };
    delays: string[];
  }

  interface OfficeInList {
    name: string;
    facility: Facility | null;
    digest: string;
    acts: number;
  }

  interface OfficeKept {
    event: "office-kept/1";
    name: string;
    digest: string;
    program: string;
  }

  interface OfficePerson {
    account: string;
    name: string;
    groups: string[];
    is_outside: boolean;
  }

  interface OfficeReceipt {
    id: string;
    sequence: number;
    head: Head;
    lines: string[];
    events: ActEvent[];
    hash: string;
  }

  interface OfficeSetUp {
    event: "office-set-up/1";
    facility: Facility;
  }

  interface OfficesAnswer {
    kept: string;
    offices: OfficeInList[];
  }

  interface OpenIncident {
    id: string;
    state: string;
    why: string;
    clause: string;
    about: string;
    since: string;
    has_draft: boolean;
  }

  interface OpenMeter {
    command: "open-meter";
    wager: string;
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

  interface OpeningDay {
    told: string;
    opens: string;
    to: string[];
    is_told: boolean;
  }

  interface OpeningPath {
    table: string;
    green: number;
    items: number;
    steps: PathStep[];
    warnings: string[];
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

  interface OwnRank {
    entry: number;
    place: number;
    points: number | null;
    behind: number | null;
    ahead: number | null;
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

  interface Pace {
    rolls_an_hour: number;
    rolls: number;
  }

  interface PackedSettled {
    players: { [key: string]: [string, string] };
    texts: string[];
    rows: number[][];
  }

  interface Paid {
    how: string;
    cents: number;
    item?: string;
  }

  interface PaperName {
    name: string;
    thing: string;
  }

  interface PaperSheet {
    paper: string;
    title: string;
    thing: string;
    clause: string;
    parts: SheetPart[];
    missing: Missing[];
    digest: string;
  }

  interface PaperSignature {
    wants: string;
    name: string;
    role: string;
    licence: string;
    at: string;
    act: number;
  }

  interface PassDice {
    command: "pass-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
  }

  interface PastAct {
    number: number;
    act: string;
    name: string;
    things: string[];
    kind: string;
    at: string;
    occurred: string;
    by: string;
    role: string;
    signatures: PastSignature[];
    waits: string[];
    status: string;
    reason: string;
    fields: { [key: string]: any };
    paper: { [key: string]: string };
    clause: string;
    is_late: boolean;
    slip: string;
    corrects: number;
    was: { [key: string]: any };
    corrected_by: number[];
  }

  interface PastSignature {
    name: string;
    role: string;
    part: string;
    at: string;
    fields: { [key: string]: any };
  }

  interface PathAnswer {
    path: OpeningPath | null;
    kept: string;
    owners: number;
  }

  interface PathStep {
    name: string;
    why: string;
    clause: string;
    page: string;
    after: number[];
    act: string;
    things: string[];
    by: string[];
    value: string;
    approval: string;
    role: string;
    waits: string;
    until: string;
    kept_to_sign: string[];
  }

  interface PatronCash {
    patron: string;
    cents_in: number;
    cents_out: number;
    parts: CashPart[];
    is_above: boolean;
    report: string;
    is_reported_elsewhere: boolean;
  }

  interface Paying {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    field: string;
    source: string;
    target: string;
    stock: string;
    form?: string;
    only?: string;
    unless?: string;
    whole?: boolean;
  }

  interface PeopleAnswer {
    people: PersonListed[];
    count: number;
    two_owners: TwoOwners;
  }

  interface PeopleOfOffice {
    people: OfficePerson[];
  }

  interface PersonListed {
    account: string;
    name: string;
    roles: string[];
    is_disabled: boolean;
    is_guest: boolean;
    has_password: boolean;
    has_pin: boolean;
    subject: string;
    link: string;
  }

  interface Pick {
    number: number;
    name: string;
    pays: string;
  }

  interface Place {
    place: number;
    prize: Prize;
    entries_from?: number;
  }

  interface PlaceButton {
    command: "place-button";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
    wager: string;
    number?: number;
    owner?: string;
  }

  interface Plan {
    id: string;
    name: string;
    rules: string;
    casino: string;
    licensees: string[];
    lead?: string;
    premises: Premises;
    house?: { [key: string]: any };
    dice?: "physical" | "electronic";
    automate?: string[];
    entries_at_once?: number;
    criteria?: string;
    criteria_reason?: string;
    is_points_only?: boolean;
    wager_points_max?: number;
    pools?: "one" | "by_event";
    splits?: boolean;
    are_chips_printed?: boolean;
    colours?: ColourPoints[];
    house_adds_cents?: number;
    events: Event[];
    sheet?: SheetWords;
  }

  interface PlanChecked {
    plan: { [key: string]: any } | null;
    faults: Refusal[];
    sheet: PaperSheet | null;
    ahead: Refusal[];
    gate: Refusal[];
  }

  interface PlayedAnswer {
    as_of: number;
    behind: number;
    fault: string;
    scope: string;
    period: string;
    span: string;
    accounts: Figures[];
    furthest: FurthestOff | null;
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

  interface PlayerLeft {
    entry: number;
    name: string;
    is_own: boolean;
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

  interface PlayerRating {
    patron: string;
    players: string[];
    span: string;
    is_estimated: boolean;
    minutes: number;
    decided: number | null;
    average: number | null;
    wagered: number | null;
    theoretical: number | null;
    won: number | null;
    luck: number | null;
    deviations: number | null;
    one_in: number | null;
    low: number | null;
    high: number | null;
    rolls: number;
    first: number;
    last: number;
    speed: number | null;
    theoretical_low: number | null;
    theoretical_high: number | null;
    deviation: number | null;
    minutes_without: number;
    estimates: Estimate[];
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

  interface Premises {
    place: string;
    is_licensed?: boolean;
    meets_security?: boolean;
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

  interface PrintedPaper {
    sheet: PaperSheet;
    facility: string;
    regulation: string;
    signatures: PaperSignature[];
    at: string;
    is_signed: boolean;
    currency: string;
  }

  interface Printing {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    form: string;
    pieces: string;
  }

  interface Prize {
    basis_points?: number;
    cents?: number;
    item?: string;
    item_cents?: number;
    voucher?: string;
    voucher_cents?: number;
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

  interface RatingCourse {
    as_of: number;
    behind: number;
    fault: string;
    player: string;
    players: string[];
    name: string;
    ratings: PlayerRating[];
  }

  interface RatingsAnswer {
    as_of: number;
    behind: number;
    fault: string;
    period: string;
    span: string;
    ratings: PlayerRating[];
    names: { [key: string]: string };
  }

  interface Reason {
    key: string;
    name: string;
    clause: string;
    says: string;
    by: string[];
  }

  interface Rebuy {
    cents: number;
    points: number;
    most: number;
    rounds: string[];
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

  interface RefundDue {
    entry: number;
    name: string;
    cents: number;
    things: string[];
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
    is_busy: boolean;
    second_factor: SecondFactorAsked | null;
  }

  interface RegulationGames {
    key: string;
    title: string;
    games: string[];
  }

  interface Reinvestment {
    subject: string;
    theoretical: number;
    earned: number;
    granted: number;
    given: number;
    rate: number | null;
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

  interface ResultAlarmed {
    event: "result-alarmed/1";
    scope: string;
    subject: string;
    month: string;
    won: number;
    low: number;
    high: number;
    rolls: number;
    bound: number;
  }

  interface ResultsAnswer {
    sums: NamedSum[];
    total: SumOfPeriod;
    shifts: ShiftResult[];
    day: string;
    first: string;
    period: string;
    by: string;
    as_of: AsOf;
    is_closed: boolean;
  }

  interface RoleGroup {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    roles?: string[];
    body?: string;
    designated?: string;
    ended?: string[];
    at_tables?: boolean;
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

  interface RotaGap {
    table: string;
    rota: string;
    unplanned: string[];
    absent: string[];
  }

  interface Round {
    name: string;
    rolls?: number;
    minutes?: number;
    seats?: number;
    advance?: number;
    wild_cards?: number;
    carries_points?: boolean;
    is_initial?: boolean;
  }

  interface Said {
    sequence: number;
    at: string;
    lines: string[];
    call: string;
    has_notices?: boolean;
  }

  interface ScreenAnswer {
    name: string;
    boards: Board[];
    current: string;
    now: string;
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

  interface SecondFactorAsked {
    challenge: string;
    site: string;
    credentials: string[];
  }

  interface SetLife {
    hours: number;
    rolls: number;
    pace: Pace;
  }

  interface Settle {
    command: "settle";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
  }

  interface SettledDay {
    day: string;
    is_played: boolean;
    is_covered: boolean;
    is_unknown: boolean;
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

  interface SheetPart {
    key: string;
    name: string;
    clause: string;
    lines: string[];
    clauses: string[];
  }

  interface SheetWords {
    house_rules?: "printed" | "as_changed" | "";
    changes?: string[];
    final_round?: string;
    conclusion?: string;
    ties?: "shared" | "roll_off" | "earlier_lead" | "";
    cut_ties?: "by_lot" | "roll_off" | "earlier_lead" | "all_go_on" | "";
    undecided_wagers?: "returned" | "played_out" | "lost" | "";
    wagering_order?: string;
    wagering_seconds?: number;
    seat_draw?: "by_lot" | "";
    counts?: "open" | "secret" | "";
    elimination?: string;
    cash_handling?: string;
    lapse_of_rounds?: string;
  }

  interface Shift {
    name: string;
    begins: string;
  }

  interface ShiftResult {
    table: string;
    day: string | null;
    shift: string;
    pit: string;
    opener: number;
    closer: number;
    fills: number;
    credits: number;
    drop: number;
    corrections: string[];
    missing: string[];
    crews: string[];
    ledger: number | null;
    acts: EnteredAct[];
    is_emptied: boolean;
    settles: SettledDay[];
    win: number | null;
    ledger_win: number | null;
    difference: number | null;
    hold: number | null;
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
    assertion?: Assertion | null;
  }

  interface Signature {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    by: string[];
    name: string;
    counts?: boolean;
    among?: string;
    others?: boolean;
    apart?: string[];
    unless?: string;
    only?: string;
    of_papers?: boolean;
    nobodys?: string;
    above?: string;
    together?: string;
    standard?: boolean;
    later?: string[];
    beyond?: Length | null;
  }

  interface Signer {
    account: string;
    name: string;
    why: string;
  }

  interface SignersAnswer {
    signers: Signer[];
  }

  interface SitDown {
    command: "sit-down";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface SkimAlarm {
    table: string;
    day: string;
    shift: string;
    shifts: number;
    short: number;
    evidence: number;
  }

  interface SkimAlarmed {
    event: "skim-alarmed/1";
    look: string;
    kind: string;
    subject: string;
    day: string;
    shift: string;
    shifts: number;
    short: number;
    evidence: number;
    bound: number;
  }

  interface SkimLine {
    look: "notes" | "chips";
    kind: "table" | "crew";
    subject: string;
    order: number;
    shifts: number;
    records: number;
    recorded: number;
    counted: number;
    short: number;
    evidence: number;
    bound: number;
    smallest: number;
    tenth: number | null;
    alarms: SkimAlarm[];
  }

  interface SocketMessage {
    id?: string;
    command?: TakeSeat | LeaveSeat | StandUp | SitDown | BuyIn | Fill | Credit | MakeWager | ReduceWager | RemoveWager | CallWager | PlaceButton | ConfirmWager | OfferDice | AcceptDice | DeclineDice | ChooseDice | SurrenderDice | OrderDicePassed | DeclineLineWager | ThrowDice | LandDice | CallNoRoll | DisputeFaces | DecideDispute | CallRoll | Settle | PassDice | RollDice | OpenTable | CloseTable | SeatPlayer | DiceOut | KeyDice | CorrectRoll | Roll | TakeNonce | CompleteRoll | CommitDice | RenewDice | FreezeTable | ReportShown | ReleaseTable | NoticeLimits | AdoptRulebook | ChangeHouse | ReportConduct | PutInDice | CondemnDice | ReportIrregularity | DirectAction | ObserveAction | EnterPaper | RatePlayer | SeatEntrants | FinishRound | CloseMeter | OpenMeter | null;
    sign_off?: SignOff | null;
    again?: boolean;
    ask?: "areas" | "table" | "outcome" | null;
    seen?: number | null;
    nonce?: string;
  }

  interface Split {
    event_name: string;
    shares: { [key: string]: number };
    agreed?: number[];
    confirmed?: number[];
  }

  interface SplitAnswer {
    event: string;
    left: PlayerLeft[];
    cash_cents: number;
    split: Split | null;
  }

  interface SpotAmounts {
    least: number;
    unit: number;
  }

  interface StaffTournament {
    id: string;
    name: string;
    boards: Board[];
    own: OwnRank[];
    mine: KnownEntry[];
    is_closed: boolean;
    cancelled: string;
    current: string;
    lot: LotView;
    now: string;
    split?: Split;
    plan: Plan;
    digest: string;
    entries: KnownEntry[];
    waiting: [string, string, string][];
    rounds: HeldRound[];
    balances: { [key: string]: number };
    vouchers: HeldVoucher[];
    awards: Award[];
    concluded: string[];
    fees_counted: boolean;
    breaches: number;
    tables_waiting: { [key: string]: string };
    level: LevelGroup[];
    fees: FeesView;
    refunds: RefundDue[];
    checks: StartChecks | null;
  }

  interface StandUp {
    command: "stand-up";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface StandardAnswer {
    name: string;
    about: string;
    items: ItemStanding[];
  }

  interface StandardsAnswer {
    standards: KnownStandard[];
  }

  interface StartCheck {
    clause: string;
    says: string;
    wrong: string[];
    act: string;
    by: string[];
    path: string;
  }

  interface StartChecks {
    is_checked: boolean;
    items: StartCheck[];
  }

  interface Statistic {
    subject: string;
    time: "day" | "month" | "year" | "month_before" | "month_of_year_before";
    first: string;
    last: string;
    drop: number;
    win: number;
    hold: number | null;
    fills: number;
    credits: number;
    days: number;
    unknown: number;
    won: number | null;
    handle: number | null;
    hold_of_handle: number | null;
    theoretical: number | null;
    expected: number | null;
    base_hold: number | null;
    base_hold_of_handle: number | null;
    luck: number | null;
    low: number | null;
    high: number | null;
    one_in: number | null;
    keyed: number | null;
  }

  interface StatisticsAnswer {
    as_of: number;
    behind: number;
    fault: string;
    day: string;
    by: string;
    statistics: Statistic[];
  }

  interface Step {
    by: string[];
    clause: string;
  }

  interface Stock {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    name: string;
    places: string[];
    outside: string[];
    loose?: string[];
    made?: string;
    by_worth?: boolean;
    drawn?: string;
  }

  interface StockMove {
    stock: string;
    source: string;
    target: string;
    units: { [key: string]: number };
  }

  interface StocksAnswer {
    stocks: { [key: string]: { [key: string]: { [key: string]: number } } };
    hidden: { [key: string]: string[] };
    denominations: { [key: string]: string[] };
  }

  interface StreamsAnswer {
    streams: { [key: string]: number };
  }

  interface SumOfPeriod {
    drop: number;
    win: number;
    fills: number;
    credits: number;
    days: number;
    unknown: number;
    ledger_win: number;
    difference: number;
    covered: number;
    corrections: number;
    hold: number | null;
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

  interface TableCleared {
    event: "table-cleared/1";
    number: number;
    table: string;
    house: string;
    state?: string;
  }

  interface TableEnd {
    name: string;
    seats: number[];
  }

  interface TableShut {
    event: "table-shut/1";
    table: string;
    state: string;
  }

  interface TableThen {
    as_of: number;
    behind: number;
    fault: string;
    sequence: number;
    table: TableView;
    balances: { [key: string]: number };
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

  interface TablesAnswer {
    tables: ListedTable[];
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

  interface TakenUp {
    stock: string;
    place: string;
    act: number;
    units: { [key: string]: number };
  }

  interface Tallying {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    place: string;
    fields: { [key: string]: string[] };
    against: string;
    incident: string;
    above?: string;
  }

  interface TaxAnswer {
    as_of: number;
    behind: number;
    fault: string;
    year: number;
    months: TaxMonthShape[];
  }

  interface TaxMonthShape {
    month: string;
    drop: number;
    fills: number;
    credits: number;
    inventory: number;
    win: number;
    fees: number;
    gross: number;
    rate: number | null;
    tax: number | null;
    days: number;
    unknown: number;
  }

  interface Telling {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    name: string;
    of?: "" | "papers" | "facts" | "others";
    counts: "entry" | "document";
    within?: Length | null;
    second?: Signature | null;
    incident?: string;
  }

  interface TheftAnswer {
    as_of: number;
    behind: number;
    fault: string;
    day: string;
    first: string;
    last: string;
    one_in: number;
    promised_shifts: number;
    found_in: number;
    assumptions: string[];
    lines: SkimLine[];
    holds: HoldPowerShape[];
  }

  interface Thing {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    name: string;
    states: string[];
    final?: string[];
    rests?: string[];
    lasting?: string[];
    series?: string;
    seen_by?: string[];
    involved?: boolean;
    one_office?: boolean;
    filed?: boolean;
    recalls?: string[];
    named?: "" | "table" | "cents";
    held_by?: string;
    held_in?: string[];
    hint?: string;
  }

  interface ThingHistory {
    thing: KnownThing;
    acts: PastAct[];
    incidents: KnownThing[];
    papers: ThingPaper[];
    earlier: number;
  }

  interface ThingPaper {
    paper: string;
    name: string;
  }

  interface ThingsAnswer {
    things: KnownThing[];
  }

  interface ThingsFiled {
    event: "things-filed/1";
    things: string[];
    figures?: number[];
  }

  interface ThrowDice {
    command: "throw-dice";
    by?: "player" | "shooter" | "dealer" | "stickperson" | "boxperson" | "floorperson";
    seat: number;
  }

  interface ToSign {
    number: number;
    act: string;
    name: string;
    things: string[];
    by: string;
    part: string;
    wants: string;
    roles: string[];
    clause: string;
    counts: boolean;
    fields: { [key: string]: any };
    at: string;
    hands: string[];
  }

  interface Today {
    day: string;
    shift: string;
    due: Due[];
    sign: ToSign[];
    incidents: OpenIncident[];
    unset: Unset[];
    tables: Gated[];
    told: ToldBody[];
    slips: MissingSlip[];
    asked: AskedPerson[];
    coming: ComingLaw[];
    rota: RotaGap[];
    below_par: BelowPar[];
    clock: string;
  }

  interface ToldBody {
    body: string;
    act: string;
    name: string;
    about: string;
    at: string;
    clause: string;
    is_late: boolean;
  }

  interface ToldProgress {
    wager: string;
    count: number;
    clause: string;
  }

  interface ToldWish {
    strategy: string;
    wish: number;
    does: string;
    wager: string;
    number: string;
    said: string[];
    when: string;
    values: { [key: string]: number };
    why_not: string;
  }

  interface TournamentAnswer {
    id: string;
    name: string;
    boards: Board[];
    own: OwnRank[];
    mine: KnownEntry[];
    is_closed: boolean;
    cancelled: string;
    current: string;
    lot: LotView;
    now: string;
    split?: Split;
  }

  interface TwoOwners {
    is_needed: boolean;
    is_elected: boolean;
    password_days: number;
    retention_years: number;
    second_factor: string;
    alone_until: string;
    broken: BrokenGlass[];
  }

  interface Unset {
    key: string;
    name: string;
    by: string[];
    clause: string;
  }

  interface Value {
    cite: string | string[] | { [key: string]: string | string[] };
    reading?: string;
    name: string;
    type: "count" | "length" | "cents" | "text" | "times";
    by?: string[];
    optional?: boolean;
    presets?: { [key: string]: number };
    otherwise?: number | null;
    default?: Length | null;
    house_wide?: boolean;
  }

  interface ValueSet {
    event: "value-set/1";
    key: string;
    value: any;
    document: string;
    reference: string;
    received: string;
    serves?: string[];
  }

  interface Variance {
    what: string;
    counted: { [key: string]: number };
    expected: { [key: string]: number };
    clause: string;
    about: string;
  }

  interface View {
    width: number;
    height: number;
    areas: LayoutArea[];
    marks: Marking[];
    spots: NumberedSpot[];
    posted: PostedAt | null;
  }

  interface VisitsAnswer {
    as_of: number;
    behind: number;
    fault: string;
    player: string;
    span: string;
    visits: Figures[];
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

  interface WatchBroken {
    event: "watch-broken/1";
    watch: string;
    thing: string;
  }

  interface WatchMended {
    event: "watch-mended/1";
    watch: string;
    thing: string;
  }

  interface WholeTable {
    kind: "table";
    sequence: number;
    table: TableView;
    own: OwnView | null;
    head: Head;
    at: string;
  }

  interface WordedEntry {
    sequence: number;
    stream: string;
    at: string;
    actor: string;
    name: string;
    role: string;
    signed_by: string;
    signer: string;
    hand: number;
    lines: string[];
    call: string;
    clauses: string[];
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
    | FinishRound
    | CloseMeter
    | OpenMeter;

  type ServerMessage =
    | WholeTable
    | News
    | AreasAnswer
    | DoneAnswer
    | RefusedAnswer
    | InDoubtAnswer;

  type ActEvent =
    | OfficeKept
    | OfficeSetUp
    | ValueSet
    | BodyAssigned
    | BodyKeyGiven
    | BodyKeyRevoked
    | ActDone
    | ActSigned
    | ActCompleted
    | ActVoided
    | IncidentOpened
    | WatchBroken
    | WatchMended
    | TableCleared
    | TableShut
    | CashReached
    | ItemsLeftOut
    | LedgerTold
    | DiceAlarmed
    | SkimAlarmed
    | ResultAlarmed
    | CompEarned
    | DiceUnaccounted
    | ThingsFiled
    | FileCommitted;

  type LabLine =
    | LabProgress
    | LabWaiting
    | LabLaw
    | LabFan
    | LabCheck
    | LabHands
    | LabBest
    | LabNext
    | LabRefused
    | LabReady;
}
