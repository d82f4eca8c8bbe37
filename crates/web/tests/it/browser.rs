//! The pages in a real Chromium.

use serde_json::{Value, json};

use crate::common::browser::Browser;
use crate::common::{Lab, game};
use crate::until::until;

pub(crate) const SCORE: &str = "Number(document.querySelector('#score')?.textContent)";
pub(crate) const BOARD: &str = "#board svg.board";
/// The moves that are played, as the page keeps them.
const MOVES: &str = "(() => { const { tree } = \
    JSON.parse(sessionStorage.getItem('morpion.game')); const moves = [];
    for (let at = tree.at; at > 0; at = tree.nodes[at].parent) \
        moves.unshift(tree.nodes[at].move); return moves; })()";

/// A browser on a page of a server of its own.
pub(crate) fn visit(page: &str, width: u32) -> (Lab, Browser) {
    let (lab, browser) = (Lab::new(), Browser::new(width, 900));
    browser.open(&format!("http://{}/#{page}", lab.address));
    (lab, browser)
}

/// The same, once the first game is there.
pub(crate) fn visit_play(width: u32) -> (Lab, Browser) {
    let (lab, browser) = visit("play", width);
    browser.until(&format!("{SCORE} === 0 && document.querySelectorAll('.spot').length > 0"));
    (lab, browser)
}

/// Fails if the browser has complained of anything but files that the server has refused.
#[track_caller]
pub(crate) fn nothing_went_wrong(browser: &Browser) {
    let mut complaints = browser.console();
    let refused = |text: &String| {
        (text.contains("/api/verify") || text.contains("/api/proofs")) && text.contains("422")
    };
    complaints.retain(|text| !refused(text));
    assert_eq!(complaints, Vec::<String>::new());
}

fn choose_game(browser: &Browser, name: &str) {
    browser.paste("#game", name);
    browser.until(&format!("location.hash.startsWith('#g/{name}/')"));
}

fn moves(browser: &Browser) -> Vec<Value> {
    let moves = browser.script(&format!("return {MOVES}"), vec![]);
    moves.as_array().expect("moves").clone()
}

/// The legal moves, as the server sees them.
fn legal(lab: &Lab, rules: &str, moves: &[Value]) -> Vec<Value> {
    let answer = lab.post("/api/position", game(rules, &json!(moves)).to_string()).json();
    answer["legal"].as_array().expect("moves").clone()
}

fn new_dot(mv: &Value) -> (f64, f64) {
    let at = |axis: usize| mv["new"][axis].as_f64().expect("a number");
    (at(0), at(1))
}

#[test]
fn a_game_is_played_by_touch_to_its_end_and_taken_back() {
    let (lab, browser) = visit_play(390);
    choose_game(&browser, "6D");
    for number in 1..=12 {
        let next = legal(&lab, "6D", &moves(&browser)).remove(0);
        browser.touch(BOARD, new_dot(&next), (0.0, 0.0));
        // Several lines may go through the dot: then they wait for a second tap.
        browser.until(&format!("{SCORE} === {number} || document.querySelector('.fan')"));
        if browser.script(&format!("return {SCORE}"), vec![]) != json!(number) {
            browser.touch(BOARD, new_dot(&next), (0.0, 0.0));
        }
        browser.until(&format!("{SCORE} === {number}"));
        assert_eq!(moves(&browser).len(), number);
    }
    // One message for all: it is over, it is the longest there is, and it is kept.
    browser.until("document.querySelector('#party, #toast')?.textContent.includes('archive')");
    let both = "return document.querySelectorAll('#party, #toast, #tip').length";
    assert_eq!(browser.script(both, vec![]), json!(1));
    let below = "const [text, button] = ['b', 'button'].map((one) => \
        document.querySelector(`#party ${one}`).getBoundingClientRect());
        return button.top >= text.bottom && text.height < 90";
    assert_eq!(browser.script(below, vec![]), json!(true));
    let archived = lab.get("/api/archive?game=6D").json()["games"][0].clone();
    assert_eq!((&archived["score"], &archived["method"]), (&json!(12), &json!("by hand")));

    browser.click("#undo");
    browser.until(&format!("{SCORE} === 11"));
    browser.press("body", "\u{e011}");
    browser.until(&format!("{SCORE} === 0"));
    browser.press("body", "\u{e010}");
    browser.until(&format!("{SCORE} === 12"));
    nothing_went_wrong(&browser);
}

#[test]
fn of_three_lines_through_a_dot_one_is_chosen_by_moving_a_little_or_by_sliding() {
    let (_lab, browser) = visit_play(1280);
    // Four dots across, down and along a diagonal, with one place that closes all three.
    browser.click("#edit-start");
    browser.until("document.querySelector('#edit-done')");
    // What to do is said, and nothing of the game before.
    browser.until("document.querySelector('#tip')?.textContent.startsWith('Tap points')");
    assert_eq!(browser.text("#rail"), "Draw a start\n5T from 0 dots of your own");
    for step in 1..=4 {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
            browser.tap(BOARD, f64::from(2 + dx * step), f64::from(2 + dy * step));
        }
    }
    browser.until("document.querySelector('#dots').textContent.startsWith('12')");
    browser.click("#edit-done");
    browser.until("document.querySelectorAll('.spot').length > 2");
    let direction = |browser: &Browser| moves(browser)[0]["line"][1].clone();
    for (dx, dy, expected) in [(0.3, 0.0, "E"), (0.0, 0.3, "S"), (0.25, 0.25, "SE")] {
        browser.hover(BOARD, 2.0 + dx, 2.0 + dy);
        browser.until("document.querySelectorAll('#board svg.board .other').length === 2");
        browser.tap(BOARD, 2.0 + dx, 2.0 + dy);
        browser.until(&format!("{SCORE} === 1"));
        assert_eq!(direction(&browser), json!(expected));
        browser.click("#undo");
        browser.until(&format!("{SCORE} === 0"));
    }
    for (by, expected) in [((50.0, 0.0), "E"), ((0.0, 50.0), "S"), ((35.0, 35.0), "SE")] {
        browser.touch(BOARD, (2.0, 2.0), by);
        browser.until(&format!("{SCORE} === 1"));
        assert_eq!(direction(&browser), json!(expected));
        browser.click("#undo");
        browser.until(&format!("{SCORE} === 0"));
    }
    // The other branches are kept beside the line that is played.
    browser.press("body", "\u{e014}");
    browser.until(&format!("{SCORE} === 1 && document.querySelectorAll('.chip').length === 2"));
    browser.press("body", "\u{e015}");
    browser.until(&format!("{MOVES}[0].line[1] !== 'SE'"));
    nothing_went_wrong(&browser);
}

#[test]
fn the_keyboard_alone_is_enough_and_a_list_of_moves_too() {
    let (_lab, browser) = visit_play(1280);
    browser.press("#board", "n");
    browser.until("document.querySelector('.wish-dot')");
    // With one line through the dot, Tab goes on to the buttons, and nothing waits for Enter.
    browser.press("#board", "\u{e004}");
    browser.until("document.activeElement.matches('#app *:not(#board)')");
    browser.until("!document.querySelector('svg.board > .preview .wish-dot')");
    browser.until("!document.querySelector('#tip')?.textContent.includes('Enter')");
    browser.press("#board", "n");
    browser.until("document.querySelector('svg.board > .preview .wish-dot')");
    // What is aimed at is said, and how to go on by keys.
    browser.until("/^Dot \\(/.test(document.querySelector('#said').textContent)");
    browser.until("document.querySelector('#tip')?.textContent.includes('Enter')");
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 1"));
    // Back has nothing more to do then; the focus is not lost.
    browser.press("#undo", "\u{e007}");
    browser.until(&format!("{SCORE} === 0 && document.activeElement.id === 'board'"));
    browser.press("#board", "r");
    browser.until(&format!("{SCORE} === 1"));
    // As everywhere else: with Caps Lock, with Shift, and on a Mac.
    for (keys, score) in [
        ("key: 'Z', ctrlKey: true", 0),
        ("key: 'Z', ctrlKey: true, shiftKey: true", 1),
        ("key: 'z', metaKey: true", 0),
        ("key: 'y', ctrlKey: true", 1),
    ] {
        let press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, ";
        browser.script(&format!("{press}{keys}}}))"), vec![]);
        browser.until(&format!("{SCORE} === {score}"));
    }
    browser.click("#legal-list summary");
    browser.press("#legal-list li:nth-child(3) button", "\u{e007}");
    browser.until(&format!("{SCORE} === 2"));
    let focus = "return document.activeElement.closest('#legal-list') !== null";
    assert_eq!(browser.script(focus, vec![]), json!(true));
    browser.press("body", "\u{e012}");
    browser.until(&format!("{SCORE} === 1"));
    browser.press("body", "?");
    browser.until("document.querySelector('#help-box')?.open");
    let focus = "return document.activeElement.closest('#help-box') !== null";
    assert_eq!(browser.script(focus, vec![]), json!(true));
    browser.press("#help-box button", "\u{e00c}");
    browser.until("!document.querySelector('#help-box')");
    nothing_went_wrong(&browser);
}

#[test]
fn a_tap_that_is_no_move_says_why_at_the_dot() {
    let (_lab, browser) = visit_play(1280);
    browser.tap(BOARD, 1.0, 0.0);
    browser.until(
        "document.querySelector('#toast.bad')?.textContent.includes('Three dots in line here, \
            four needed')",
    );
    browser.tap(BOARD, 3.0, 0.0);
    browser.until("document.querySelector('#toast')?.textContent.includes('There is a dot')");
    assert_eq!(browser.script(&format!("return {SCORE}"), vec![]), json!(0));
    nothing_went_wrong(&browser);
}

#[test]
fn taps_in_quick_succession_are_not_lost() {
    let (lab, browser) = visit_play(1280);
    // Ten moves, each the only line through its dot when its turn comes.
    let mut played: Vec<Value> = Vec::new();
    while played.len() < 10 {
        let legal = legal(&lab, "5T", &played);
        let alone = |mv: &&Value| legal.iter().filter(|one| one["new"] == mv["new"]).count() == 1;
        played.push(legal.iter().find(alone).expect("a dot with one line").clone());
    }
    let pixel = |mv: &Value| {
        let (x, y) = new_dot(mv);
        browser.pixel(BOARD, x, y)
    };
    let points: Vec<_> = played.iter().map(pixel).collect();
    browser.script(
        "const board = document.querySelector('#board svg.board');
        for (const [clientX, clientY] of arguments[0]) for (const type of ['down', 'up'])
            board.dispatchEvent(new PointerEvent(`pointer${type}`, {clientX, clientY,
                pointerId: 3, pointerType: 'touch', bubbles: true}));",
        vec![json!(points)],
    );
    browser.until(&format!("{SCORE} === 10"));
    assert_eq!(moves(&browser), played);
    assert_eq!(browser.script("return document.querySelector('#toast')", vec![]), Value::Null);
    nothing_went_wrong(&browser);
}

#[test]
fn an_address_holds_the_game_and_survives_reload_back_and_another_browser() {
    let (lab, browser) = visit_play(1280);
    choose_game(&browser, "5D");
    for number in 1..=4 {
        browser.press("#board", "n");
        browser.press("#board", "\u{e007}");
        browser.until(&format!("{SCORE} === {number}"));
    }
    browser.press("body", "u");
    browser.until(&format!("{SCORE} === 3 && location.hash.endsWith('@3')"));
    let address = browser.script("return location.href", vec![]);
    let played = moves(&browser);
    reload(&browser);
    browser.until(&format!("{SCORE} === 3"));
    browser.click("#redo");
    browser.until(&format!("{SCORE} === 4"));
    // A new game can be taken back, and Back leads to the game before.
    browser.click("#new-game");
    browser.until(&format!("{SCORE} === 0"));
    browser.press("body", "u");
    browser.until(&format!("{SCORE} === 4 && !document.querySelector('#toast')"));
    browser.click("#new-game");
    browser.until(&format!("{SCORE} === 0 && location.hash === '#g/5D/'"));
    browser.script("history.back()", vec![]);
    browser.until(&format!("{SCORE} === 4"));
    nothing_went_wrong(&browser);
    drop(browser);

    let other = Browser::new(390, 844);
    other.open(address.as_str().expect("an address"));
    other.until(&format!("{SCORE} === 3"));
    assert_eq!(moves(&other), played);
    // Read only, for other pages.
    let embed = address.as_str().expect("an address").replace("#g/", "#e/");
    other.open("about:blank");
    other.open(&embed);
    other.until("document.querySelectorAll('#board .dot').length === 3");
    let height = other.script("return document.querySelector('#board').clientHeight", vec![]);
    assert!(height.as_u64() > Some(300), "{height}");
    assert!(other.text("#embedded").starts_with("3 moves · Morpion Solitaire 5D"));
    assert_eq!(other.script("return document.querySelectorAll('.spot').length", vec![]), json!(0));
    nothing_went_wrong(&other);
    drop(lab);
}

/// Loads the page again, and waits until its scripts have begun anew.
pub(crate) fn reload(browser: &Browser) {
    browser.script("window.before = true; location.reload()", vec![]);
    browser.until("!window.before && document.querySelector('#app > *')");
}

#[test]
fn a_reload_keeps_branches_who_played_and_the_draft() {
    let (lab, browser) = visit_play(1280);
    let play = |number: u32, key: &str| {
        browser.press("#board", key);
        browser.press("#board", "\u{e007}");
        browser.until(&format!("{SCORE} === {number}"));
    };
    (1..=4).for_each(|number| play(number, "n"));
    browser.press("body", "u");
    browser.press("body", "u");
    browser.until(&format!("{SCORE} === 2 && document.querySelectorAll('.spot').length > 0"));
    play(3, "p");
    until(|| lab.get("/api/drafts").json()[0]["score"] == json!(3));
    for _ in 0..2 {
        reload(&browser);
        browser.until(&format!("{SCORE} === 3"));
        assert_eq!(browser.text(".chip"), "+2");
        let imported = browser.script("return document.querySelector('#by')?.textContent", vec![]);
        assert_eq!(imported, Value::Null);
    }
    play(4, "n");
    until(|| lab.get("/api/drafts").json()[0]["score"] == json!(4));
    assert_eq!(lab.get("/api/drafts").json().as_array().map(Vec::len), Some(1));
    // A branch is entered at its end.
    browser.press("body", "\u{e011}");
    browser.until(&format!("{SCORE} === 0"));
    browser.click(".chip[aria-label='Branch of 2 moves']");
    browser.until(&format!("{SCORE} === 4"));
    nothing_went_wrong(&browser);
}

#[test]
fn the_browser_itself_prints_the_game_and_every_other_page() {
    let (_lab, browser) = visit_play(1280);
    for page in ["proofs", "hard", "records", "play"] {
        // Until the script that lays the sheet is there.
        let paper = "(() => { dispatchEvent(new Event('beforeprint'));
            const paper = Boolean(document.querySelector('#sheet-paper'));
            const theme = document.documentElement.dataset.theme;
            dispatchEvent(new Event('afterprint')); return theme === 'light' && \
                (document.documentElement.dataset.page !== 'play' || paper) && \
                !document.querySelector('#sheet-paper'); })()";
        browser.until(paper);
        browser.script(&format!("location.hash = '#{page}'"), vec![]);
        browser.until(&format!("document.documentElement.dataset.page === '{page}'"));
    }
    nothing_went_wrong(&browser);
}

#[test]
fn a_game_is_saved_as_it_is_played_and_goes_on_elsewhere() {
    let (lab, browser) = visit_play(1280);
    for number in 1..=3 {
        browser.press("#board", "n");
        browser.press("#board", "\u{e007}");
        browser.until(&format!("{SCORE} === {number}"));
    }
    let saved = || lab.get("/api/drafts").json();
    until(|| saved()[0]["score"] == json!(3));
    browser.script("localStorage.clear(); sessionStorage.clear()", vec![]);
    browser.open("about:blank");
    browser.open(&format!("http://{}/#records", lab.address));
    // What other browsers have begun is shown on request.
    browser.click("#drafts-others");
    browser.until("document.querySelector('#drafts .item')?.dataset.score === '3'");
    browser.click("#drafts .item");
    browser.until(&format!("{SCORE} === 3"));
    browser.press("#board", "n");
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 4"));
    until(|| saved()[0]["score"] == json!(4));
    assert_eq!(saved().as_array().map(Vec::len), Some(1), "one for the game");
    browser.open(&format!("http://{}/#records", lab.address));
    // Not without a question.
    browser.click("[data-do='draft-forget']");
    browser.until("document.querySelector('#toast')?.textContent.startsWith('Forget this game?')");
    assert_eq!(saved().as_array().map(Vec::len), Some(1));
    browser.click("#toast [data-do='drafts-forget']");
    browser.until("document.querySelector('#drafts') === null");
    assert_eq!(saved(), json!([]));
    nothing_went_wrong(&browser);
}

#[test]
fn a_new_game_right_after_a_move_leaves_the_old_one_among_the_records() {
    let (lab, browser) = visit_play(1280);
    browser.press("#board", "n");
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 1"));
    browser.script("document.querySelector('#new-game').click()", vec![]);
    browser.until(&format!("{SCORE} === 0"));
    until(|| lab.get("/api/drafts").json()[0]["score"] == json!(1));
    browser.script("location.hash = '#records'", vec![]);
    browser.until("document.querySelector('#drafts .item')?.dataset.score === '1'");
    nothing_went_wrong(&browser);
}

#[test]
fn a_search_helps_finishes_and_is_named_for_its_moves() {
    let (lab, browser) = visit_play(1280);
    choose_game(&browser, "5D");
    browser.press("#board", "n");
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 1"));
    browser.click("#hint");
    // The move is said with its place, and Enter draws it.
    browser.until("document.querySelector('circle.hint')");
    browser.until("/^Dot .* moves or more\\.$/.test(document.querySelector('#said').textContent)");
    browser.press("#board:focus", "\u{e007}");
    browser.until(&format!("{SCORE} === 2"));
    let told = "return document.querySelector('#toast')?.textContent ?? null";
    assert_eq!(browser.script(told, vec![]), Value::Null, "nothing is circled any more");
    browser.click("#finish");
    browser.until(&format!("{SCORE} > 50"));
    browser.until("document.querySelector('#by')?.textContent.includes('2 yours')");
    // The list of moves is one stop of Tab, and arrows go on from there.
    let stops = "return [...document.querySelectorAll('#moves button')]\
        .filter(({ tabIndex }) => tabIndex === 0).length";
    assert_eq!(browser.script(stops, vec![]), json!(1));
    let all = browser.script(&format!("return {SCORE}"), vec![]).as_u64().expect("a number");
    browser.press("#moves [tabindex='0']", "\u{e012}");
    browser.until(&format!(
        "{SCORE} === {} && document.activeElement.dataset.number === '{}'",
        all - 1,
        all - 1
    ));
    browser.press("#moves button:focus", "\u{e011}");
    browser.until(&format!("{SCORE} === 0 && document.activeElement.dataset.number === '1'"));
    browser.press("body", "\u{e010}");
    browser.until(&format!("{SCORE} > 50"));
    // What a search has finished is kept on request only, and then under its own name.
    assert_eq!(lab.get("/api/archive").json()["games"], json!([]));
    browser.click("#keep");
    browser.until("document.querySelector('#toast.good')");
    let kept = lab.get("/api/archive").json()["games"][0].clone();
    assert_eq!(kept["method"], json!("by hand and search"));
    browser.script("location.hash = '#records'", vec![]);
    let who = browser.text("#games .finder");
    assert!(who.starts_with("2 by hand, ") && who.ends_with(" by a search"), "{who}");
    nothing_went_wrong(&browser);
}

#[test]
fn a_page_that_cannot_be_loaded_comes_when_the_server_is_back() {
    let (mut lab, browser) = visit_play(1280);
    lab.stop();
    browser.click(".top nav a[href='#records']");
    browser.until("document.querySelector('#offline')");
    let shown = "return [document.documentElement.dataset.page, \
        document.querySelectorAll('#toast').length]";
    assert_eq!(browser.script(shown, vec![]), json!(["play", 0]));
    let _lab = lab.back();
    browser.until("document.documentElement.dataset.page === 'records'");
    browser.until("!document.querySelector('#offline') && document.querySelector('#ours .item')");
}

#[test]
fn an_improvement_says_what_it_improves_and_how_on_the_command_line() {
    let (_lab, browser) = visit_play(1280);
    for number in 1..=3 {
        browser.press("#board", "n");
        browser.press("#board", "\u{e007}");
        browser.until(&format!("{SCORE} === {number}"));
    }
    browser.script("location.hash = '#search'", vec![]);
    browser.until("document.querySelector('#improve input')");
    browser.script(
        "const slider = document.querySelector('#improve input'); slider.value = 2;
        slider.dispatchEvent(new Event('input', {bubbles: true}));",
        vec![],
    );
    browser.click("#improve-start");
    browser.until("document.querySelector('.hunt .improves')?.textContent.includes('2 of 3')");
    browser.until(
        "document.querySelector('.hunt .command pre').textContent.includes(\
            'search 5T --from game.json --keep 2 --method')",
    );
    nothing_went_wrong(&browser);
}

#[test]
fn records_are_replayed_and_moves_taken_back() {
    let (_lab, browser) = visit("records", 1280);
    browser.until("document.querySelector('#famous')?.textContent.includes('Bruneau')");
    // From the beginning.
    browser.click("#ours .item[href^='#g/5T/']");
    browser.until(&format!("{SCORE} > 2 && {SCORE} < 100"));
    browser.press("body", "\u{e010}");
    browser.until(&format!("{SCORE} > 160"));
    let all = browser.script(&format!("return {SCORE}"), vec![]).as_u64().expect("a number");
    browser.click("[data-do='take-back']");
    browser.until(&format!("{SCORE} === {}", all - 40));
    browser.until("document.querySelector('#ladder').textContent.includes('178')");
    browser.click("#replay");
    browser.until(&format!("{SCORE} > {}", all - 38));
    nothing_went_wrong(&browser);
}

#[test]
fn a_hunt_gets_better_is_stopped_and_is_found_among_the_records() {
    let (_lab, browser) = visit("search", 1280);
    browser.until("document.querySelector('#hunt-method option')");
    // The game is chosen in one place.
    assert_eq!(browser.script("return document.querySelector('#game')", vec![]), Value::Null);
    browser.paste("#hunt-method", "random");
    browser.paste("#hunt-seconds", "");
    browser.click("#hunt-start");
    let best = "Number(document.querySelector('.hunt')?.dataset.best)";
    browser.until(&format!("{best} > 0"));
    let first = browser.script(&format!("return {best}"), vec![]);
    browser.until(&format!("{best} > {first}"));
    browser.until(
        "document.querySelector('.hunt .thumb path') && document.querySelector('#chart-5D .curve')",
    );
    browser.click("[data-do='hunt-stop']");
    browser.until("document.querySelector('.hunt').dataset.status === 'stopped'");
    let found = browser.script(&format!("return {best}"), vec![]);
    browser.click("[data-do='hunt-play']");
    browser.until(&format!("{SCORE} === {found}"));
    browser.until(&format!("document.querySelector('#by')?.textContent === '{found} search'"));
    browser.script("location.hash = '#records'", vec![]);
    browser.until(&format!(
        "Number(document.querySelector('#games .item')?.dataset.score) === {found}"
    ));
    browser.click("#games .item");
    browser.until(&format!("{SCORE} === {found}"));
    nothing_went_wrong(&browser);
}

#[test]
fn proofs_are_verified_and_language_and_colours_stay() {
    let (_lab, browser) = visit("proofs", 1280);
    browser.until("document.querySelectorAll('#bounds section').length === 4");
    let open = browser.text("[data-game='5D']");
    for part in [
        "Certified here: at most 105.",
        "Published: at most 84, without a certificate (",
        "too large to be built in; drop the file proofs/5D-105.extents.gz here",
    ] {
        assert!(open.contains(part), "{open}");
    }
    // The hash of every proof, at once.
    for game in ["5T", "5D", "4T", "4D"] {
        let sum = browser.text(&format!("[data-game='{game}'] .sum"));
        let hash = sum.strip_prefix("SHA-256 ").expect("a hash");
        assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{sum}");
    }
    browser.click("#language");
    browser.until(
        "document.documentElement.lang === 'fr' && \
        document.querySelector('h1').textContent.includes('coups')",
    );
    browser.click("#theme");
    browser.click("#theme");
    browser.until("getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 31)'");
    browser.script("location.reload()", vec![]);
    browser.until(
        "document.documentElement.lang === 'fr' && \
        document.documentElement.dataset.theme === 'dark'",
    );
    browser.click("[data-game='5T'] [data-do='verify-proof']");
    browser.until(
        "document.querySelector('[data-game=\"5T\"] .row \
        .tag.good')?.textContent.includes('prouvé')",
    );
    assert!(browser.text("[data-game='4T']").contains("4T = 62"));
    let apart = "const [sum, command] = ['.sum', '.command'].map((one) => \
        document.querySelector(`[data-game=\"5T\"] ${one}`).getBoundingClientRect());
        return command.top - sum.bottom > 4";
    assert_eq!(browser.script(apart, vec![]), json!(true));
    nothing_went_wrong(&browser);
}

#[test]
fn a_formula_becomes_dots_and_a_false_clause_stops_the_signal() {
    let (_lab, browser) = visit("hard", 1280);
    browser.until("document.querySelector('#played.good') && document.querySelector('#reduction')");
    // The colours and the variables are named.
    browser.until("document.querySelectorAll('#legend .swatch').length === 6");
    let names = "return [...new Set([...document.querySelectorAll('#reduction .label')]\
        .map((one) => one.textContent))].sort().join(' ')";
    assert_eq!(browser.script(names, vec![]), json!("a b c"));
    assert!(browser.text("#statement").ends_with("satisfiable."));
    browser.click("[data-do='formula-flip'][data-index='0']");
    browser.click("[data-do='formula-flip'][data-index='1']");
    browser.click("[data-do='formula-flip'][data-index='2']");
    browser.until("document.querySelector('#played.bad')?.textContent.includes('clause')");
    browser.click("#formula-model");
    browser.until("document.querySelector('#played.good')");
    // Other lines are other dots at once, so that no variable is flipped on the old ones.
    let dots = "return document.querySelector('#reduction').getAttribute('aria-label')";
    let before = browser.script(dots, vec![]);
    browser.paste("#formula-length", "4");
    browser.until(&format!("(() => {{ {dots} }})() !== {before}"));
    browser.click("[data-do='formula-flip'][data-index='0']");
    browser.until("document.querySelector('#played')");
    browser.paste("#formula", "a and not a");
    browser.click("#formula-reduce");
    browser.until("document.querySelector('#formula-model')?.disabled === true");
    nothing_went_wrong(&browser);
}

#[test]
fn a_training_is_watched_while_it_goes_on() {
    let (lab, browser) = visit("search", 400);
    browser.until("document.querySelector('#no-trainings')");
    let folder = lab.folder.path().join("trainings/<b>first<b>");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut curve = Vec::new();
    for (number, mean) in [(1, 40.0), (2, 43.5), (3, 47.0)] {
        curve.push(learn::CurvePoint {
            games: 256,
            mean,
            best: 60,
            ..learn::CurvePoint::default()
        });
        let file = folder.join("curve.csv");
        std::fs::write(&file, learn::curve_csv(&curve)).expect("written");
        browser.until(&format!(
            "document.querySelector('#trainings article')?.dataset.iterations === '{number}'"
        ));
    }
    browser.until("document.querySelectorAll('#trainings path.curve').length === 5");
    assert!(browser.text("#trainings h2").contains("<b>"), "names are text");
    nothing_went_wrong(&browser);
}

#[test]
fn every_page_fits_a_small_screen_in_both_languages_and_play_never_scrolls() {
    for width in [390, 320] {
        every_page_fits(width);
    }
}

fn every_page_fits(width: u32) {
    let (_lab, browser) = visit_play(width);
    assert_eq!(browser.script("return innerWidth", vec![]), json!(width));
    for language in ["en", "fr"] {
        for (page, last) in [
            ("play", "#board"),
            ("records", "#ours .thumb path"),
            ("search", "#training-start"),
            ("proofs", "#bounds"),
            ("hard", "#formula-at"),
        ] {
            browser.script(&format!("location.hash = '#{page}'"), vec![]);
            browser.until(&format!("document.documentElement.dataset.page === '{page}'"));
            browser.until(&format!(
                "document.documentElement.lang === '{language}' && \
                    document.querySelector('main > *')"
            ));
            browser.until(&format!("document.querySelector('{last}')"));
            let wide = browser.script(
                "return [document.documentElement.scrollWidth > innerWidth, \
                    document.documentElement.dataset.page === 'play' && \
                        document.documentElement.scrollHeight > innerHeight,
                    [...document.querySelectorAll('#language, #sheet')].some((one) => \
                        one.getBoundingClientRect().right > innerWidth)]",
                vec![],
            );
            assert_eq!(wide, json!([false, false, false]), "{page} in {language}");
        }
        browser.script("document.querySelector('#language').click()", vec![]);
        browser.until(&format!("document.documentElement.lang !== '{language}'"));
    }
    nothing_went_wrong(&browser);
}

#[test]
fn twenty_thousand_nodes_are_built_in_linear_time() {
    let (_lab, browser) = visit_play(1280);
    // The time of four times as many nodes, over that of the fewer: quadratic would be sixteen.
    let script = "const done = arguments[arguments.length - 1];";
    let ratio = browser.script_async(&format!(
        "{script} import('/js/dom.js').then(({{ h, patch }}) => {{
            const time = (count) => {{
                const host = document.createElement('div');
                const nodes = (add) => Array.from({{ length: count }}, (_, n) => h('i', n % 2 ?
                    {{ key: n + add }} : {{}}, n));
                const began = performance.now();
                patch(host, nodes(0));
                patch(host, nodes(2));
                if (host.childNodes.length !== count) throw new Error('lost');
                return performance.now() - began;
            }};
            time(2000);
            const few = Math.min(time(5000), time(5000));
            done(Math.min(time(20000), time(20000)) / few);
        }}, (error) => done(String(error)));"
    ));
    let ratio = ratio.as_f64().unwrap_or_else(|| panic!("{ratio}"));
    assert!(ratio < 10.0, "{ratio}");
    nothing_went_wrong(&browser);
}

#[test]
fn the_server_speaks_french_where_the_page_does() {
    let (_lab, browser) = visit("search", 1280);
    browser.until("document.querySelector('#hunt-method option')");
    browser.click("#language");
    browser.paste("#hunt-method", "random");
    browser.until(
        "document.querySelector('#method-says')?.textContent.includes('joue des parties au \
            hasard')",
    );
    let file = r#"{"format": "morpion-game/1", "rules": "5T", "start": "cross",
        "moves": [{"new": [4, 3], "line": [[3, 3], "E"]}]}"#;
    browser.drop_file("main", "game.json", file);
    browser.until("document.querySelector('#verdict')?.textContent.includes('Coup 1 : ')");
    browser.drop_file("main", "game.json", "{");
    browser.until("document.querySelector('#toast.bad')?.textContent.includes('JSON invalide')");
    nothing_went_wrong(&browser);
}

#[test]
fn scripts_in_a_game_are_shown_as_text() {
    let (lab, browser) = visit("records", 1280);
    let script =
        "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>";
    let archive = store::Archive::open(&lab.folder.path().join("archive"));
    let mut file = game("5T", &json!([]));
    file["moves"] = json!([legal(&lab, "5T", &[]).remove(0)]);
    file["provenance"] = json!({"author": script, script: script});
    let judged = evidence::VerifiedRecord::parse(&file.to_string()).expect("legal");
    archive.expect("an archive").add_game(&judged, script).expect("kept");
    browser.script("location.reload()", vec![]);
    browser.until("document.querySelector('#games .item')");
    assert!(browser.text("#games .item").contains("onerror"));
    assert_ne!(browser.script("return document.title", vec![]), json!("owned"));
    assert_eq!(
        browser.script("return document.querySelectorAll('main img, main script').length", vec![]),
        json!(0)
    );
    nothing_went_wrong(&browser);
}

#[test]
fn a_move_chosen_by_keyboard_is_brought_into_sight() {
    let (_lab, browser) = visit_play(1280);
    for _ in 0..12 {
        browser.press("#board", "+");
    }
    for _ in 0..9 {
        browser.press("#board", "n");
        browser.until(
            "(() => { const rect = (one) => document.querySelector(one)?.getBoundingClientRect();
            const inner = rect('.preview .wish');
            const outer = rect('#board');
            return inner && inner.left >= outer.left && inner.right <= outer.right && \
                inner.top >= outer.top && inner.bottom <= outer.bottom; })()",
        );
    }
    nothing_went_wrong(&browser);
}

#[test]
fn an_endless_game_says_so_and_leads_to_its_proof() {
    let (_lab, browser) = visit_play(1280);
    choose_game(&browser, "3T");
    browser.until("document.querySelector('.rungs .bound')?.textContent.includes('never end')");
    browser.click("#finish");
    browser
        .until("document.querySelector('#toast')?.textContent.includes('stopped at 10000 moves')");
    browser.click("#toast [data-do='see-endless']");
    browser.until(
        "(() => { const row = document.querySelector('#row-3T')?.getBoundingClientRect();
        return row && row.height > 0 && row.top >= 0 && row.bottom <= innerHeight; })()",
    );
    nothing_went_wrong(&browser);
}

#[test]
fn the_archive_is_filtered_by_what_its_cards_say() {
    let (lab, browser) = visit("records", 1280);
    browser.until("document.querySelectorAll('#ours .item').length > 4");
    let all = include_str!("../../../../games/5D-82.json");
    for (rules, method, by) in [
        ("5T", "nrpa", Value::Null),
        ("5D", "by hand", json!({"mine": 82, "search": 0, "imported": 0})),
    ] {
        let mut file: Value = serde_json::from_str(all).expect("JSON");
        file["rules"] = json!(rules);
        file["provenance"] = json!({"method": method, "moves_by": by});
        lab.post("/api/archive", file.to_string()).is(201);
    }
    reload(&browser);
    browser.until("document.querySelectorAll('#games .item').length === 2");
    let select = "[data-input='records-filter'][data-name='finder']";
    for (finder, words) in [("hand", "played by hand"), ("search", "found by nrpa")] {
        browser.paste(select, finder);
        browser.until(&format!(
            "document.querySelector('#games')?.childElementCount === 1 && \
                document.querySelector('#games .finder').textContent === '{words}'"
        ));
    }
    browser.paste(select, "imported");
    browser.until("document.querySelector('#no-games')?.textContent === 'No game matches.'");
    let options = "return [...document.querySelector(arguments[0]).options].map((one) => one.text)";
    let options = browser.script(options, vec![json!(select)]);
    assert_eq!(options, json!(["all", "played by hand", "found by a search", "imported"]));
    nothing_went_wrong(&browser);
}
