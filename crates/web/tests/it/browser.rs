//! The pages in a real Chromium.

use serde_json::{Value, json};

use crate::common::browser::Browser;
use crate::common::{Lab, game};

const SCORE: &str = "Number(document.querySelector('#score')?.textContent)";

/// A browser on a page of a server of its own.
fn visit(page: &str, width: u32) -> (Lab, Browser) {
    let (lab, browser) = (Lab::new(), Browser::new(width, 900));
    browser.open(&format!("http://{}/#{page}", lab.address));
    (lab, browser)
}

/// Fails if the browser has complained of anything.
#[track_caller]
fn nothing_went_wrong(browser: &Browser) {
    assert_eq!(browser.console(), Vec::<String>::new());
}

fn choose_game(browser: &Browser, name: &str) {
    browser.paste("#game", name);
    browser.until(&format!(
        "document.querySelector('#board').getAttribute('aria-label').includes('{name},')"
    ));
}

/// The first legal move, as the server sees it.
fn first_legal(lab: &Lab, rules: &str, moves: &[Value]) -> Value {
    lab.post("/api/position", game(rules, &json!(moves)).to_string()).json()["legal"][0].clone()
}

#[test]
fn a_game_is_played_to_its_end_taken_back_and_played_again() {
    let (lab, browser) = visit("play", 1280);
    browser.until(&format!("{SCORE} === 0"));
    choose_game(&browser, "6D");
    let mut moves = Vec::new();
    for number in 1..=12 {
        let next = first_legal(&lab, "6D", &moves);
        let at = |axis: usize| next["new"][axis].as_f64().expect("a number");
        browser.tap("#board", at(0), at(1));
        // Several lines may go through the dot: take the one that was meant.
        let chosen = format!(
            "(document.querySelector('#choice') ? document.querySelectorAll('#choice [data-index]').length > 1 : {SCORE} === {number})"
        );
        browser.until(&chosen);
        if browser.script(&format!("return {SCORE}"), vec![]) != json!(number) {
            browser.click("#choice [data-index='0']");
            browser.until(&format!("{SCORE} === {number}"));
        }
        let played =
            browser.script("return JSON.parse(localStorage.getItem('morpion.game')).moves", vec![]);
        moves = played.as_array().expect("moves").clone();
        assert_eq!(moves.len(), number);
    }
    browser.until("document.querySelector('#left').textContent.includes('over')");
    browser.until("document.querySelector('#archived')");
    assert_eq!(lab.get("/api/archive?game=6D").json()["games"][0]["score"], 12);

    browser.click("#undo-all");
    browser.until(&format!("{SCORE} === 0"));
    assert_eq!(browser.text("#left"), "24 possible");
    browser.click("#redo-all");
    browser.until(&format!("{SCORE} === 12"));
    browser.press("body", "u");
    browser.until(&format!("{SCORE} === 11"));
    nothing_went_wrong(&browser);
}

#[test]
fn a_game_is_saved_as_it_is_played_and_goes_on_elsewhere() {
    let (lab, browser) = visit("play", 1280);
    browser.until(&format!("{SCORE} === 0"));
    choose_game(&browser, "5D");
    browser.until("document.querySelector('main').textContent.includes('133')");
    for number in 1..=3 {
        browser.press("#board", "n");
        browser.press("#board", "\u{e007}");
        browser.until(&format!("{SCORE} === {number} || document.querySelector('#choice')"));
        browser.press("#board", "1");
        browser.until(&format!("{SCORE} === {number}"));
    }
    browser.press("body", "u");
    browser.until(&format!("{SCORE} === 2"));
    browser.until("document.querySelector('#saved')");
    let drafts = lab.get("/api/drafts").json();
    assert_eq!(drafts.as_array().map(Vec::len), Some(1), "one for the game: {drafts}");
    // Whoever comes back finds what was taken back, too.
    browser.script("location.reload()", vec![]);
    browser.until(&format!("{SCORE} === 2"));
    browser.click("#redo");
    browser.until(&format!("{SCORE} === 3"));

    // Another browser knows nothing of it, but the server does.
    browser.script("localStorage.clear()", vec![]);
    browser.open("about:blank");
    browser.open(&format!("http://{}/#gallery", lab.address));
    browser.until("document.querySelector('#drafts .item')?.dataset.score === '3'");
    browser.click("#drafts .item");
    browser.until(&format!("{SCORE} === 3"));
    browser.press("body", "n");
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 4 || document.querySelector('#choice')"));
    browser.press("#board", "1");
    browser.until("document.querySelector('#saved')");
    let drafts = lab.get("/api/drafts").json();
    assert_eq!((drafts.as_array().map(Vec::len), &drafts[0]["score"]), (Some(1), &json!(4)));
    browser.open(&format!("http://{}/#gallery", lab.address));
    browser.click("[data-do='draft-forget']");
    browser.until("document.querySelector('#drafts') === null");
    assert_eq!(lab.get("/api/drafts").json(), json!([]));
    nothing_went_wrong(&browser);
}

#[test]
fn of_two_lines_through_a_dot_one_is_chosen_by_mouse_or_by_keys() {
    let (_lab, browser) = visit("play", 1280);
    browser.until(&format!("{SCORE} === 0"));
    // Four dots in a row and four in a column, with one place that closes both.
    browser.click("#edit-start");
    for (x, y) in [(0, 2), (1, 2), (2, 2), (3, 2), (4, 3), (4, 4), (4, 5), (4, 6)] {
        browser.tap("#board", f64::from(x), f64::from(y));
    }
    browser.click("#edit-done");
    browser.until("document.querySelector('#left')?.textContent === '4 possible'");
    browser.tap("#board", 4.0, 2.0);
    browser.until("document.querySelectorAll('#choice [data-index]').length >= 2");
    assert_eq!(browser.script(&format!("return {SCORE}"), vec![]), json!(0));
    browser.click("#choice [data-index='1']");
    browser.until(&format!("{SCORE} === 1 && document.querySelector('#choice') === null"));

    // The other line makes a second branch; the first one is kept.
    browser.press("body", "u");
    browser.until(&format!("{SCORE} === 0"));
    browser.tap("#board", 4.0, 2.0);
    browser.until("document.querySelector('#choice')");
    browser.press("body", "1");
    browser.until(&format!(
        "{SCORE} === 1 && document.querySelector('.tools').textContent.includes('branch 2 of 2')"
    ));
    nothing_went_wrong(&browser);
}

#[test]
fn the_keyboard_alone_is_enough() {
    let (_lab, browser) = visit("play", 1280);
    browser.until(&format!("{SCORE} === 0"));
    browser.press("#board", "n");
    browser.until("document.querySelector('.cursor')");
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 1 || document.querySelector('#choice')"));
    browser.press("#board", "1");
    browser.until(&format!("{SCORE} === 1"));
    browser.press("#board", "l");
    browser.until("document.querySelector('circle.legal')");
    nothing_went_wrong(&browser);
}

#[test]
fn a_start_of_ones_own_is_drawn_and_played_on_a_small_screen() {
    let (_lab, browser) = visit("play", 400);
    browser.until(&format!("{SCORE} === 0"));
    browser.click("#edit-start");
    for x in 0..4 {
        browser.tap("#board", f64::from(x), 2.0);
    }
    browser.until("document.querySelector('#dots').textContent.startsWith('4')");
    browser.click("#edit-done");
    browser.until("document.querySelector('#left')?.textContent === '2 possible'");
    browser.tap("#board", 4.0, 2.0);
    browser.until(&format!("{SCORE} === 1"));
    let fits = browser.script("return document.documentElement.scrollWidth <= innerWidth", vec![]);
    assert_eq!(fits, json!(true));
    nothing_went_wrong(&browser);
}

#[test]
fn hints_lead_on_and_links_carry_a_game() {
    let (_lab, browser) = visit("play", 1280);
    browser.until(&format!("{SCORE} === 0"));
    choose_game(&browser, "5D");
    browser.click("#hint");
    browser.until("document.querySelector('circle.hint')");
    browser.click("#finish");
    browser.until(&format!("{SCORE} > 40"));
    let score = browser.script(&format!("return {SCORE}"), vec![]);
    browser.script("document.querySelector('#link').closest('details').open = true", vec![]);
    browser.click("#link");
    browser.until("document.querySelector('#the-link')?.value.includes('#play/')");
    let link = browser.script("return document.querySelector('#the-link').value", vec![]);
    browser.script("localStorage.clear()", vec![]);
    browser.open("about:blank");
    browser.open(link.as_str().expect("an address"));
    browser.until(&format!("{SCORE} === {score}"));
    nothing_went_wrong(&browser);
}

#[test]
fn the_faulty_move_of_a_pasted_game_is_marked() {
    let (_lab, browser) = visit("check", 1280);
    let mut record: Value =
        serde_json::from_str(include_str!("../../../../games/5D-82.json")).expect("JSON");
    record["moves"].as_array_mut().expect("moves").swap(40, 70);
    browser.paste("#check-text", &record.to_string());
    browser.click("#check-now");
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'refused'");
    assert!(browser.text("#verdict").contains("move 41"), "{}", browser.text("#verdict"));
    let marked = browser.script(
        "const bad = document.querySelector('circle.bad'); return [bad.getAttribute('cx'), bad.getAttribute('cy')].map(Number)",
        vec![],
    );
    assert_eq!(marked, record["moves"][40]["new"]);
    nothing_went_wrong(&browser);
}

#[test]
fn a_picture_is_dropped_and_replayed() {
    let (_lab, browser) = visit("check", 1280);
    let file = include_bytes!("../../../../games/5D-82.json");
    let record = record::read(file, None).expect("readable");
    let picture = render::svg(&record, &render::Style::default());
    browser.drop_file("#drop", "game.svg", &picture);
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'legal'");
    assert_eq!(browser.text("#replay-number"), "82 / 82");
    browser.paste("#replay-at", "10");
    browser.until("document.querySelectorAll('circle.played').length === 10");
    browser.click("#replay-play");
    browser.until("document.querySelectorAll('circle.played').length > 12");
    nothing_went_wrong(&browser);
}

#[test]
fn lines_without_an_order_are_drawn_and_ordered() {
    let (_lab, browser) = visit("check", 1280);
    browser.click("#draw-lines");
    for (x, y) in [(3, -1), (3, 3), (7, 0), (3, 0)] {
        browser.tap("#drawing", f64::from(x), f64::from(y));
    }
    browser.until("document.querySelectorAll('#drawing line').length === 2");
    browser.click("#draw-check");
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'ordered'");
    nothing_went_wrong(&browser);
}

#[test]
fn a_hunt_gets_better_is_stopped_and_is_found_in_the_gallery() {
    let (_lab, browser) = visit("hunt", 1280);
    browser.until("document.querySelector('#hunt-method option')");
    browser.paste("#hunt-method", "random");
    browser.paste("#hunt-seconds", "");
    browser.click("#hunt-start");
    let best = "Number(document.querySelector('.hunt')?.dataset.best)";
    browser.until(&format!("{best} > 0"));
    let first = browser.script(&format!("return {best}"), vec![]);
    browser.until(&format!("{best} > {first}"));
    let second = browser.script(&format!("return {best}"), vec![]);
    browser.until(&format!("{best} > {second}"));
    browser.until("document.querySelectorAll('.hunt .board circle.played').length > 20");
    browser.click("[data-do='hunt-stop']");
    browser.until("document.querySelector('.hunt').dataset.status === 'stopped'");
    let found = browser.script(&format!("return {best}"), vec![]);

    browser.open(&format!(
        "{}#gallery",
        browser.script("return location.origin + '/'", vec![]).as_str().expect("an address")
    ));
    browser.until(&format!("Number(document.querySelector('.item')?.dataset.score) === {found}"));
    browser.click(".item");
    browser.until("document.querySelector('#replay-at')");
    assert_eq!(browser.text("#replay-number"), format!("{found} / {found}"));
    nothing_went_wrong(&browser);
}

#[test]
fn language_and_colours_change_and_stay() {
    let (_lab, browser) = visit("limits", 1280);
    browser.until("document.querySelector('#limits')");
    browser.click("#language");
    browser.until("document.documentElement.lang === 'fr' && document.querySelector('h1').textContent.includes('coups')");
    browser.click("#theme");
    browser.click("#theme");
    browser.until("getComputedStyle(document.body).backgroundColor === 'rgb(19, 22, 27)'");
    browser.script("location.reload()", vec![]);
    browser.until("document.documentElement.lang === 'fr' && document.documentElement.dataset.theme === 'dark'");
    browser.click("[data-do='check-proof']");
    browser.until("document.querySelector('td .tag.good')?.textContent.includes('prouvé')");
    nothing_went_wrong(&browser);
}

#[test]
fn a_formula_becomes_a_picture_and_a_model_a_game() {
    let (_lab, browser) = visit("reduce", 1280);
    browser.click("#formula-reduce");
    browser.until("document.querySelector('#pattern')?.naturalWidth > 0");
    browser.click("[data-do='formula-flip'][data-index='1']");
    browser.click("#formula-play");
    browser.until("document.querySelector('#played.good')");
    nothing_went_wrong(&browser);
}

#[test]
fn a_training_is_watched_while_it_goes_on() {
    let (lab, browser) = visit("learn", 400);
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
    let best = include_str!("../../../../games/5D-82.json");
    std::fs::write(folder.join("best.json"), best).expect("written");
    browser.until("document.querySelectorAll('#trainings circle.played').length === 82");
    let fits = browser.script("return document.documentElement.scrollWidth <= innerWidth", vec![]);
    assert_eq!(fits, json!(true));
    nothing_went_wrong(&browser);
}

#[test]
fn every_page_fits_a_small_screen_in_both_languages() {
    let (_lab, browser) = visit("play", 400);
    browser.until(&format!("{SCORE} === 0"));
    for language in ["en", "fr"] {
        for page in ["play", "check", "hunt", "gallery", "limits", "reduce", "learn"] {
            browser.script(&format!("location.hash = '#{page}'"), vec![]);
            browser.until(&format!("document.querySelector('main')?.dataset.key === '{page}'"));
            browser.until(&format!(
                "document.documentElement.lang === '{language}' && document.querySelector('main > *')"
            ));
            let wide = browser.script(
                "return [document.documentElement.scrollWidth > innerWidth, document.querySelector('nav').scrollWidth > innerWidth]",
                vec![],
            );
            assert_eq!(wide, json!([false, false]), "{page} in {language}");
        }
        browser.click("#language");
        browser.until(&format!("document.documentElement.lang !== '{language}'"));
    }
    nothing_went_wrong(&browser);
}

#[test]
fn the_server_speaks_french_where_the_page_does() {
    let (_lab, browser) = visit("hunt", 1280);
    browser.until("document.querySelector('#hunt-method option')");
    browser.click("#language");
    browser.paste("#hunt-method", "random");
    browser
        .until("document.querySelector('form').textContent.includes('joue des parties au hasard')");
    browser.script("location.hash = '#check'", vec![]);
    browser.paste("#check-text", r#"{"format": "morpion-game/1", "rules": "5T", "start": "cross", "moves": [{"new": [4, 3], "line": [[3, 3], "E"]}]}"#);
    browser.click("#check-now");
    browser.until("document.querySelector('#verdict')?.textContent.includes('coup 1 : ')");
    nothing_went_wrong(&browser);
}

#[test]
fn scripts_in_a_game_are_shown_as_text() {
    let (lab, browser) = visit("gallery", 1280);
    let script =
        "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>";
    let archive = store::Archive::open(&lab.folder.path().join("archive"));
    let mut file = game("5T", &json!([]));
    let next = first_legal(&lab, "5T", &[]);
    file["moves"] = json!([next]);
    file["provenance"] = json!({"author": script, script: script});
    let judged = evidence::VerifiedRecord::parse(&file.to_string()).expect("legal");
    archive.expect("an archive").add_game(&judged, script).expect("kept");
    browser.script("location.reload()", vec![]);
    browser.until("document.querySelector('.item')");
    assert!(browser.text(".item").contains("onerror"));
    browser.click(".item");
    browser.until("document.querySelector('dl.keys dd')");
    assert_ne!(browser.script("return document.title", vec![]), json!("owned"));
    assert_eq!(
        browser.script("return document.querySelectorAll('main img, main script').length", vec![]),
        json!(0)
    );
    nothing_went_wrong(&browser);
}
