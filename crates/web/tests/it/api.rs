//! The API as programs use it, without a browser.

use serde_json::{Value, json};
use web::Limits;

use crate::common::client::Events;
use crate::common::{Lab, game, limits};

/// A short hunt, the same every time.
fn wish(more: Value) -> String {
    let mut wish = json!({"game": game("5D", &json!([])), "method": "random", "seed": 7});
    for (name, value) in more.as_object().expect("fields") {
        wish[name] = value.clone();
    }
    wish.to_string()
}

/// Plays the first legal moves of a game, as a page would.
fn play(lab: &Lab, rules: &str, count: usize) -> Vec<Value> {
    let mut moves = Vec::new();
    for _ in 0..count {
        let position = lab.post("/api/position", game(rules, &json!(moves)).to_string()).is(200);
        match position.json()["legal"].get(0) {
            Some(next) => moves.push(next.clone()),
            None => break,
        }
    }
    moves
}

#[test]
fn a_game_is_played_move_by_move() {
    let lab = Lab::new();
    let moves = play(&lab, "6D", 100);
    assert_eq!(moves.len(), 12, "every game of 6D has twelve moves");
    let end = lab.post("/api/position", game("6D", &json!(moves)).to_string()).json();
    assert_eq!(end["legal"], json!([]));
    assert_eq!(end["counts"].as_array().map(Vec::len), Some(13));
    assert_eq!((&end["counts"][0], &end["counts"][12]), (&json!(24), &json!(0)));
}

#[test]
fn an_illegal_move_is_named() {
    let lab = Lab::new();
    let mut moves = play(&lab, "5T", 3);
    moves.push(moves[1].clone());
    let answer = lab.post("/api/position", game("5T", &json!(moves)).to_string()).is(422).json();
    assert_eq!(answer["move"], 4, "{answer}");
}

#[test]
fn any_dots_and_any_rules_can_be_played() {
    let lab = Lab::new();
    let start = json!([[0, 0], [1, 0], [3, 0], [3, 1], [3, 2]]);
    let own = json!({"format": "morpion-game/1", "rules": "4T", "start": start, "moves": []});
    let position = lab.post("/api/position", own.to_string()).is(200).json();
    assert_eq!(position["legal"].as_array().map(Vec::len), Some(3), "{position}");
    assert_eq!(position["game"], "4T from 5 dots");
}

#[test]
fn a_search_finishes_a_game_and_keeps_its_moves() {
    let lab = Lab::new();
    let moves = play(&lab, "5D", 5);
    let body = game("5D", &json!(moves)).to_string();
    let found = lab.post("/api/continue?seconds=0.3", &body).is(200).json();
    assert!(found["score"].as_u64() > Some(30), "{}", found["score"]);
    assert_eq!(found["moves"].as_array().expect("moves")[..5], moves);
    for seconds in ["0", "-1", "31", "nan", "1e9"] {
        lab.post(&format!("/api/continue?seconds={seconds}"), &body).is(400);
    }
}

#[test]
fn files_of_all_formats_are_verified() {
    let lab = Lab::new();
    let moves = play(&lab, "5T", 20);
    let native = game("5T", &json!(moves)).to_string();
    for format in ["json", "pentasol", "msr", "text", "svg", "png"] {
        let file = lab.post(&format!("/api/convert/{format}"), &native).is(200);
        let name = file.header("content-disposition").expect("a name");
        assert!(name.contains("morpion-5T-20."), "{name}");
        let verdict = lab.post("/api/verify?game=5T", &file.body).is(200).json();
        let expected = if format == "text" { "ordered" } else { "legal" };
        assert_eq!(verdict["verdict"], expected, "{format}: {verdict}");
        assert_eq!(verdict["board"]["moves"].as_array().map(Vec::len), Some(20), "{format}");
    }
    let film = lab.post("/api/convert/gif?theme=dark&width=200", &native).is(200);
    assert!(film.body.starts_with(b"GIF89a"));
    assert!(lab.post("/api/convert/tex", &native).is(200).text().contains("tikzpicture"));
    lab.post("/api/convert/exe", &native).is(404);
    lab.post("/api/convert/svg?theme=pink", &native).is(400);
    lab.post("/api/convert/png?width=999999", &native).is(400);
}

#[test]
fn the_faulty_move_is_found_and_another_order_is_seen() {
    let lab = Lab::new();
    let file = include_str!("../../../../games/5D-82.json");
    let mut record: Value = serde_json::from_str(file).expect("JSON");
    record["moves"].as_array_mut().expect("moves").swap(40, 70);
    let verdict = lab.post("/api/verify", record.to_string()).is(200).json();
    assert_eq!((&verdict["verdict"], &verdict["move"]), (&json!("refused"), &json!(41)));
    assert_eq!(verdict["other_order"], true);
}

#[test]
fn a_drawing_is_ordered_or_its_stuck_lines_are_named() {
    let lab = Lab::new();
    let drawing = |lines: &str| {
        let text = format!("5T\n{lines}\n");
        lab.post("/api/verify", text).is(200).json()
    };
    let ordered = drawing("3,-1 3,3\n3,0 7,0");
    assert_eq!(ordered["verdict"], "ordered", "{ordered}");
    let stuck = drawing("3,0 7,0\n20,20 24,20");
    assert_eq!(stuck["verdict"], "stuck", "{stuck}");
    assert_eq!(stuck["stuck"][0]["line"], 2, "counted from 1");
    assert_eq!(stuck["stuck"][0]["missing"].as_array().map(Vec::len), Some(5));
}

#[test]
fn a_hunt_is_watched_stopped_resumed_and_kept() {
    let lab = Lab::new();
    let mut events = Events::new(lab.address);
    let id = lab.post("/api/hunts", wish(json!({}))).is(201).json()["id"].clone();
    let better = |name: &str, hunt: &Value| name == "hunt" && hunt["record"].is_object();
    let first = events.until(better)["best"].as_u64().expect("a score");
    let second =
        events.until(|name, hunt| better(name, hunt) && hunt["best"].as_u64() > Some(first));
    assert!(second["history"].as_array().map(Vec::len) >= Some(2), "{second}");
    lab.post(&format!("/api/hunts/{id}/stop"), "").is(200);
    let end = events.until(|_, hunt| hunt["status"] == "stopped" && !hunt["kept"].is_null());
    let best = end["best"].as_u64().expect("a score");
    let played = end["playouts"].as_u64().expect("a number");

    let kept = lab.get("/api/archive?game=5D").is(200).json();
    assert_eq!(kept["games"][0]["score"], best, "{kept}");
    assert_eq!(kept["games"][0]["method"], "random");

    lab.post(&format!("/api/hunts/{id}/resume?seconds=0.5"), "").is(200);
    let again = events.until(|_, hunt| hunt["status"] == "done");
    assert!(again["playouts"].as_u64() > Some(played), "it goes on from {played}: {again}");
    assert!(again["best"].as_u64() >= Some(best));
    lab.client().ask("DELETE", &format!("/api/hunts/{id}"), b"").is(200);
    events.until(|name, known| name == "known" && *known == json!([]));
    lab.get(&format!("/api/hunts/{id}")).is(404);
}

#[test]
fn a_hunt_with_a_seed_and_playouts_finds_what_the_command_finds() {
    let lab = Lab::new();
    let mut events = Events::new(lab.address);
    lab.post("/api/hunts", wish(json!({"playouts": 2000, "seed": 11}))).is(201);
    let end = events.until(|_, hunt| hunt["status"] == "done");
    let game = geometry::Game::named("5D").expect("known");
    let method = search::MethodSpec::named("random", &game, []).expect("a method");
    let budget = hunt::HuntBudget { playouts: Some(2000), ..Default::default() };
    let spec = hunt::HuntSpec { game, prefix: vec![], method, seed: 11, threads: 1, budget };
    let on = |_: hunt::Event<'_>| std::ops::ControlFlow::Continue(());
    let find = hunt::run(&spec, None, &on).expect("a find");
    let found: Value = serde_json::from_str(&find.game.to_json()).expect("JSON");
    assert_eq!(end["record"]["moves"], found["moves"]);
}

#[test]
fn only_so_many_hunts_run_at_once() {
    let lab = Lab::new();
    for _ in 0..2 {
        lab.post("/api/hunts", wish(json!({}))).is(201);
    }
    lab.post("/api/hunts", wish(json!({}))).is(503);
    lab.client().ask("DELETE", "/api/hunts/1", b"").is(409);
    lab.post("/api/hunts/1/resume", "").is(503);
}

#[test]
fn bad_wishes_are_refused() {
    let lab = Lab::new();
    for (more, status) in [
        (json!({"method": "magic"}), 422),
        (json!({"parameters": {"level": 3}}), 422),
        (json!({"seconds": -1}), 400),
        (json!({"seconds": 1e300}), 400),
        (json!({"threads": 0}), 400),
        (json!({"threads": 100_000}), 400),
        (json!({"playouts": -5}), 400),
        (json!({"wish": 1}), 400),
        (json!({"game": 7}), 422),
        (json!({"game": game("5D", &json!([{"new": [0, 0], "line": [[0, 0], "E"]}]))}), 422),
    ] {
        lab.post("/api/hunts", wish(more.clone())).is(status);
    }
    lab.post("/api/hunts/99/stop", "").is(404);
    for path in ["/api/hunts/x", "/api/archive?limit=many", "/api/hunts/%ff"] {
        let error = lab.get(path).is(400).json()["error"].clone();
        assert_eq!(error, "invalid value in the address", "{path}");
    }
}

#[test]
fn event_streams_are_limited_and_end_with_the_server() {
    let mut lab = Lab::with(Limits { streams: 2, ..limits() }, None);
    let mut streams = [Events::new(lab.address), Events::new(lab.address)];
    lab.get("/api/events").is(503);
    lab.stop();
    for stream in &mut streams {
        assert!(stream.next().is_none());
    }
}

#[test]
fn a_server_that_stops_keeps_what_its_hunts_have_found() {
    let mut lab = Lab::new();
    let mut events = Events::new(lab.address);
    lab.post("/api/hunts", wish(json!({}))).is(201);
    let best = events.until(|_, hunt| hunt["record"].is_object())["best"].as_u64();
    lab.stop();
    let archive = store::Archive::open(&lab.folder.path().join("archive")).expect("an archive");
    let games = archive.games(&store::GameFilter::default()).expect("games");
    assert!(games.first().map(|game| u64::from(game.score)) >= best, "{games:?}");
}

#[test]
fn a_game_that_was_played_is_kept_once() {
    let lab = Lab::new();
    let moves = play(&lab, "6T", 12);
    let by = json!({"mine": 7, "search": 5, "imported": 0});
    let mut body = game("6T", &json!(moves));
    body["provenance"] = json!({"method": "by hand and search", "moves_by": by});
    let body = body.to_string();
    let kept = lab.post("/api/archive", &body).is(201).json();
    assert_eq!(kept["new"], true);
    assert_eq!(lab.post("/api/archive", &body).is(201).json()["new"], false);
    let id = kept["id"].as_str().expect("an id");
    let one = lab.get(&format!("/api/archive/{id}")).is(200).json();
    assert_eq!((&one["record"]["moves"], &one["moves_by"]), (&json!(moves), &by));
    assert_eq!(lab.get("/api/archive?least=13").json()["games"], json!([]));
    lab.get("/api/archive/ffffffffffff").is(404);
}

#[test]
fn the_bounds_are_those_that_are_proven() {
    let lab = Lab::new();
    let rows = lab.get("/api/bounds").is(200).json();
    let row = |game: &str| {
        let rows = rows.as_array().expect("rows");
        rows.iter().find(|row| row["game"] == game).unwrap_or_else(|| panic!("{game}")).clone()
    };
    assert_eq!(row("6D")["exact"], true, "the formula is reached");
    assert_eq!(row("4D")["exact"], true, "the proof is reached");
    assert_eq!(row("5T")["exact"], false);
    assert_eq!(row("3T")["endless"], true);
    assert_eq!(lab.get("/api/games/3T").is(200).json()["endless"], true);
    assert_eq!(lab.get("/api/games/5T").is(200).json()["endless"], false);
    let proof = row("5T")["proof"].as_str().expect("a proof").to_owned();
    let checked = lab.post(&format!("/api/proofs/{proof}"), "").is(200).json();
    assert_eq!(checked["verdict"], "proven");
    assert_eq!(checked["claim"], row("5T")["claim"]);
    let file = lab.get(&format!("/api/proofs/{proof}")).is(200);
    assert_eq!(row("5T")["sha256"], lab::known::sha256(&file.body));
}

#[test]
fn an_unknown_address_is_a_page_for_a_browser_and_json_for_a_program() {
    let lab = Lab::new();
    let host = lab.address.to_string();
    for (path, accept, kind) in [
        ("/records", "text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("/records", "*/*", "application/json"),
        ("/api/records/1", "text/html,*/*;q=0.8", "application/json"),
    ] {
        let headers = [("host", host.as_str()), ("accept", accept)];
        let answer = lab.client().ask_with("GET", path, &headers, b"").is(404);
        assert_eq!(answer.header("content-type"), Some(kind), "{path}");
        assert_eq!(answer.text().contains("href='/'"), kind.starts_with("text/html"));
    }
}

#[test]
fn a_proof_from_elsewhere_is_verified() {
    let lab = Lab::new();
    let endless = include_bytes!("../../../../proofs/endless/3T-cross.json");
    let packed = include_bytes!("../../../../proofs/5D-133.caps.gz");
    for (proof, claim) in [(&endless[..], "3T: endless"), (&packed[..], "5D <= 133")] {
        let checked = lab.post("/api/proofs", proof).is(200).json();
        assert_eq!((&checked["verdict"], &checked["claim"]), (&json!("proven"), &json!(claim)));
    }
    for text in ["", "5D <= 7", "morpion-caps/1\n5D: no game has more than 7 moves\n"] {
        let checked = lab.post("/api/proofs", text).is(200).json();
        assert_eq!(checked["verdict"], "refused", "{text}");
    }
    lab.post("/api/proofs", b"\x1f\x8brubbish").is(422);
}

#[test]
fn a_board_is_solved_and_its_bound_is_proven() {
    let lab = Lab::new();
    let solved = lab.post("/api/lp-solution?game=5D&board=square:10&theme=dark", "").is(200).json();
    assert!(solved["picture"].as_str().is_some_and(|svg| svg.starts_with("<svg")));
    let claim = solved["claim"].as_str().expect("a claim");
    assert!(claim.contains("square:10") && claim.contains("no game"), "{claim}");
    lab.post("/api/lp-solution?game=5D&board=circle:9", "").is(422);
    lab.post("/api/lp-solution?game=5D&board=square:1000", "").is(413);
}

#[test]
fn a_run_without_a_coordinator_is_interrupted() {
    let lab = Lab::new();
    assert_eq!(lab.get("/api/runs").is(200).json()["runs"], json!([]));
    let archive = store::Archive::open(&lab.folder.path().join("archive"));
    let tasks = [("ab12", "{}")];
    archive.expect("an archive").begin_run("cd34", "a plan", "", tasks).expect("begun");
    let runs = lab.get("/api/runs").is(200).json()["runs"].clone();
    assert_eq!((&runs[0]["name"], &runs[0]["open"]), (&json!("a plan"), &json!(1)));
    assert_eq!(runs[0]["state"], "interrupted", "as `morpion status` has it");
}

#[test]
fn a_formula_becomes_a_pattern_and_a_model_a_game() {
    let lab = Lab::new();
    let formula = "p cnf 2 2\n1 2 0\n-1 0\n";
    let pattern = lab.post("/api/reduce?theme=dark", formula).is(200).json();
    assert_eq!(pattern["formula"], json!([[1, 2], [-1]]));
    assert_eq!((&pattern["clauses"], &pattern["certified"]), (&json!(2), &json!(true)));
    assert!(pattern["picture"].as_str().is_some_and(|svg| svg.starts_with("<svg")));
    for (model, reaches) in [(json!([-1, 2]), true), (json!([1, 2]), false)] {
        let body = json!({"formula": formula, "model": model}).to_string();
        let played = lab.post("/api/reduce/play", body).is(200).json();
        assert_eq!(played["reaches"], reaches, "{}", played["moves"]);
    }
    let open = json!({"formula": formula, "model": [-1]}).to_string();
    let refused = lab.post("/api/reduce/play", open).is(422).json();
    assert!(refused["error"].as_str().is_some_and(|why| why.contains("variable 2")), "{refused}");
    lab.post("/api/reduce", "p cnf 1 1\nx 0\n").is(422);
    lab.post("/api/reduce", "p cnf 100 1\n1 0\n").is(413);
    for (model, why) in [(json!([9]), "literal 9"), (json!([1, -1]), "both true and false")] {
        let body = json!({"formula": formula, "model": model}).to_string();
        let refused = lab.post("/api/reduce/play", body).is(400).json();
        assert!(refused["error"].as_str().is_some_and(|said| said.contains(why)), "{refused}");
    }
    for length in [4, 16] {
        let path = format!("/api/reduce?length={length}");
        assert_eq!(lab.post(&path, formula).is(200).json()["length"], length);
        let body = json!({"formula": formula, "model": [-1, 2], "length": length}).to_string();
        let played = lab.post("/api/reduce/play", body).is(200).json();
        assert_eq!(played["reaches"], true, "{length}");
    }
    lab.post("/api/reduce?length=17", formula).is(422);
    lab.post("/api/reduce?length=four", formula).is(400);
    lab.post("/api/reduce?length=16", "p cnf 30 1\n1 0\n").is(413);
}

#[test]
fn the_methods_of_a_game_have_its_defaults() {
    let lab = Lab::new();
    let methods = lab.get("/api/games/5T/methods").is(200).json();
    let names: Vec<&str> =
        methods.as_array().expect("a list").iter().filter_map(|m| m["name"].as_str()).collect();
    assert!(names.contains(&"auto") && names.contains(&"nrpa"), "{names:?}");
    let known = lab.get("/api/games/5D").is(200).json();
    assert_eq!((&known["in_print"]["moves"], &known["length"]), (&json!(82), &json!(5)));
    lab.get("/api/games/1T").is(400);
}

#[test]
fn a_game_is_told_with_its_bounds_by_formula_and_by_proof() {
    let lab = Lab::new();
    for (name, bound, proven) in [("5D", json!(141), json!(105)), ("6D", json!(12), json!(null))] {
        let known = lab.get(&format!("/api/games/{name}")).is(200).json();
        assert_eq!((&known["bound"], &known["proven"]), (&bound, &proven), "{name}");
    }
    assert_eq!(lab.get("/api/games/16T").is(200).json()["proven"], json!(null));
}

#[test]
fn many_look_on_while_many_ask() {
    let lab = Lab::new();
    let mut streams: Vec<Events> = (0..40).map(|_| Events::new(lab.address)).collect();
    let lazy = Events::new(lab.address);
    lab.post("/api/hunts", wish(json!({"seconds": 1.0}))).is(201);
    let body = game("5T", &json!(play(&lab, "5T", 10))).to_string();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut client = lab.client();
                for _ in 0..100 {
                    client.ask("POST", "/api/position", body.as_bytes()).is(200);
                }
            });
        }
    });
    for stream in &mut streams {
        stream.until(|_, hunt| hunt["status"] == "done");
    }
    drop(lazy);
}
