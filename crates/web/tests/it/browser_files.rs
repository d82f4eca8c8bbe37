//! What is dropped, pasted or opened, in a real Chromium.

use serde_json::{Value, json};

use crate::browser::{BOARD, SCORE, nothing_went_wrong, reload, visit, visit_play};
use crate::until::until;

#[test]
fn a_proof_is_dropped_or_opened_and_the_verdict_is_shown() {
    let (_lab, browser) = visit_play(1280);
    let endless = include_str!("../../../../proofs/endless/3T-cross.json");
    browser.drop_file("main", "3T.json", endless);
    browser.until("document.querySelector('#own-proof')?.dataset.verdict === 'proven'");
    assert!(browser.text("#own-proof").contains("3T"));
    // Wherever the page was scrolled to, the verdict is seen.
    browser.click("[data-do='own-close']");
    browser.until("document.querySelectorAll('#bounds section').length === 4");
    browser.script("scrollTo(0, document.body.scrollHeight)", vec![]);
    browser.until("!document.querySelector('#own-proof') && scrollY > 400");
    browser.drop_file("main", "false.caps", "morpion-caps/1\n5D: no game has more than 7 moves\n");
    browser.until("document.querySelector('#own-proof')?.dataset.verdict === 'refused'");
    assert!(browser.text("#own-proof").contains("false.caps"));
    browser.until(
        "(() => { const box = document.querySelector('#own-proof').getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight; })()",
    );
    let damaged = browser.script_async(
        "const done = arguments[arguments.length - 1];
        const text = 'morpion-caps/1\\n' + Array.from({length: 9999}, Math.random).join();
        const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
        new Response(packed).blob().then((blob) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([blob.slice(0, 9000)], 'cut.caps.gz'));
            document.querySelector('main').dispatchEvent(
                new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
            done(true);
        });",
    );
    assert_eq!(damaged, json!(true));
    browser.until("document.querySelector('#own-proof')?.textContent.includes('cut.caps.gz')");
    browser.until("document.querySelector('#own-proof').dataset.verdict === 'refused'");
    // Larger than the server takes: the command that takes it is named.
    browser.script(
        "const head = 'morpion-caps/1\\n'; const dataTransfer = new DataTransfer();
        const noise = new Uint8Array(26 << 20);
        for (let at = 0; at < noise.length; at += 65536)
            crypto.getRandomValues(noise.subarray(at, at + 65536));
        dataTransfer.items.add(new File([head, noise], 'large.caps'));
        document.querySelector('main').dispatchEvent(
            new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));",
        vec![],
    );
    browser.until(
        "document.querySelector('#toast.bad')?.textContent.includes('morpion verify large.caps')",
    );
    nothing_went_wrong(&browser);
}

#[test]
fn a_file_dropped_anywhere_is_judged_on_the_board() {
    let (_lab, browser) = visit("records", 1280);
    browser.until("document.querySelectorAll('#ours .item').length > 4");
    let best = include_str!("../../../../games/5T-169.json");
    let before = browser.script("return history.length", vec![]).as_u64().expect("a number");
    browser.drop_file("main", "best.json", best);
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'legal'");
    browser.until(&format!("{SCORE} === 169"));
    // One step further, and Back is one step back.
    browser.until("location.hash.startsWith('#g/5T/')");
    assert_eq!(browser.script("return history.length", vec![]), json!(before + 1));
    browser.script("history.back()", vec![]);
    browser.until("document.documentElement.dataset.page === 'records'");
    browser.script("history.forward()", vec![]);
    browser.until(&format!("{SCORE} === 169"));
    // Out of order: the faulty move in red, and an order that works.
    let mut swapped: Value = serde_json::from_str(best).expect("JSON");
    let all = swapped["moves"].as_array_mut().expect("moves");
    all.swap(0, 168);
    browser.drop_file("main", "swapped.json", &swapped.to_string());
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'refused'");
    browser.click("#take-order");
    browser.until(&format!("{SCORE} === 169 && !document.querySelector('#verdict')"));
    // A drawing with a line that no order reaches.
    let drawing = json!({"format": "morpion-game/1", "rules": "5T", "start": "cross",
        "lines": [[[2, 0], "E"], [[20, 20], "E"]]});
    browser.drop_file("main", "drawing.json", &drawing.to_string());
    browser.until(
        "document.querySelector('#verdict')?.dataset.verdict === 'stuck' && \
        document.querySelector('.line.stuck')",
    );
    // What is refused leaves the game alone.
    browser.click("#verdict [data-do='verdict-close']");
    browser.until("!document.querySelector('.line.stuck')");
    browser.until(&format!("{SCORE} === 169 && document.querySelectorAll('.dot').length >= 169"));
    browser.drop_file("main", "nothing.txt", "5T\n3,0 7,0\nwhat is this");
    browser.until("document.querySelector('#toast.bad')?.textContent.startsWith('nothing.txt: ')");
    assert!(browser.text("#toast").contains("line 3"), "{}", browser.text("#toast"));
    assert!(browser.text("#toast").contains("3,0 7,0"), "{}", browser.text("#toast"));
    assert_eq!(browser.script(&format!("return {SCORE}"), vec![]), json!(169));
    nothing_went_wrong(&browser);
}

#[test]
fn what_cannot_be_read_shows_a_sample_that_can() {
    let (_lab, browser) = visit_play(1280);
    browser.drop_file("main", "hello.txt", "hello");
    browser.until("document.querySelector('#toast.bad')");
    let says = browser.text("#toast span");
    let (before, after) = says.split_once(" Typed games look like “").expect("a sample");
    assert!(before.ends_with('.'), "{says}");
    let (sample, _) = after.split_once('”').expect("its end");
    browser.drop_file("main", "sample.txt", sample);
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'ordered'");
    browser.until(&format!("{SCORE} === 1"));
    nothing_went_wrong(&browser);
}

#[test]
fn dots_drawn_with_characters_are_a_start() {
    let (_lab, browser) = visit_play(1280);
    let cross = "...####...\n...#..#...\n...#..#...\n####..####\n#........#\n\
        #........#\n####..####\n...#..#...\n...#..#...\n...####...\n";
    let named = format!("4D\n{cross}");
    let other = cross.replace('#', "●").replace('.', "·");
    for (file, text, game) in [("named.txt", &named, "4D"), ("other.txt", &other, "4D")] {
        browser.drop_file("main", file, text);
        browser.until(&format!(
            "document.querySelector('#verdict[data-verdict=legal]')?.textContent\
                .startsWith('{file}')"
        ));
        assert!(browser.text("#verdict").contains(game), "{}", browser.text("#verdict"));
        browser.until("document.querySelectorAll('#board .start circle').length === 36");
        assert_eq!(browser.script(&format!("return {SCORE}"), vec![]), json!(0));
    }
    assert!(browser.text("#verdict").contains("read as 4D"), "{}", browser.text("#verdict"));
    nothing_went_wrong(&browser);
}

#[test]
fn the_verdict_is_seen_wherever_the_page_was_scrolled_to() {
    let (_lab, browser) = visit("records", 1280);
    for _ in 0..4 {
        reload(&browser);
        browser.until("document.querySelectorAll('#ours .thumb path').length > 4");
        browser.script("scrollTo(0, document.body.scrollHeight)", vec![]);
        let proof = "morpion-caps/1\n5D: no game has more than 7 moves\n";
        browser.drop_file("main", "false.caps", proof);
        browser.until("document.querySelector('#own-proof')?.dataset.verdict === 'refused'");
        browser.until("document.querySelectorAll('#bounds section').length === 4");
        // And it stays in view.
        let top = browser.script_async(
            "const done = arguments[arguments.length - 1];
            setTimeout(() => done(document.querySelector('#own-proof')\
                .getBoundingClientRect().top), 400);",
        );
        assert!(top.as_f64().is_some_and(|top| (0.0..800.0).contains(&top)), "{top}");
        browser.script("location.hash = '#records'", vec![]);
    }
    nothing_went_wrong(&browser);
}

#[test]
fn a_game_too_large_for_an_address_outlasts_a_reload() {
    let (_lab, browser) = visit_play(1280);
    let mut dots: Vec<[i32; 2]> =
        (0..19_600).map(|n| [n % 140 * 10 + n * n % 7, n / 140 * 10 + n * n % 5]).collect();
    dots.extend((3..7).flat_map(|x| [[x, -5], [x, -8]]));
    let file = json!({"format": "morpion-game/1", "rules": "5T", "start": dots, "moves": []});
    browser.drop_file("main", "large.json", &file.to_string());
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'legal'");
    browser.until("location.hash === '#play'");
    // However far away the board is, moves and the cursor are seen.
    browser.press("#board", "n");
    browser.until(
        "['.spot', '.preview .wish-dot'].every((one) => \
            document.querySelector(`svg.board ${one}`)?.getBoundingClientRect().width >= 3)",
    );
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 1"));
    reload(&browser);
    browser.until(&format!("{SCORE} === 1 && location.hash === '#play'"));
    browser.click("#share");
    browser.until(
        "document.querySelector('#toast.bad')?.textContent.startsWith('Too large for a link')",
    );
    nothing_went_wrong(&browser);
}

#[test]
fn of_a_large_start_every_dot_is_seen_and_its_game_is_saved() {
    let (lab, browser) = visit_play(1280);
    let mut dots: Vec<[i32; 2]> =
        (0..8100).map(|index| [index % 90 * 10, index / 90 * 10]).collect();
    // Two lines can be drawn, so that one is not the end.
    dots.extend((3..7).flat_map(|x| [[x, 5], [x, 15]]));
    let file = json!({"format": "morpion-game/1", "rules": "5T", "start": dots, "moves": []});
    browser.drop_file("main", "large.json", &file.to_string());
    browser.until("document.querySelector('#verdict')?.dataset.verdict === 'legal'");
    browser.until("!document.querySelector('.board-canvas').hidden");
    // As dark as ink, where the board is so far away that a dot is less than a pixel wide.
    let (x, y) = browser.pixel(BOARD, 440.0, 440.0);
    let ink = format!(
        "(() => {{ const canvas = document.querySelector('.board-canvas');
        const {{ left, top }} = canvas.getBoundingClientRect(), scale = devicePixelRatio;
        const [x, y] = [({x} - left) * scale, ({y} - top) * scale].map(Math.floor);
        const near = canvas.getContext('2d').getImageData(x - 1, y - 1, 3, 3).data;
        return Math.max(...near.filter((_, index) => index % 4 === 3)) > 180; }})()"
    );
    browser.until(&ink);
    browser.press("#board", "n");
    browser.press("#board", "\u{e007}");
    browser.until(&format!("{SCORE} === 1"));
    until(|| lab.get("/api/drafts").json()[0]["score"] == json!(1));
    assert_eq!(browser.script("return document.querySelector('#offline')", vec![]), Value::Null);
    nothing_went_wrong(&browser);
}
