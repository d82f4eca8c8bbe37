//! Plans, workers and status, through the real binary.

use serde_json::Value;

use crate::common::{Bench, solver};

/// Two hunts, and a board that is too large for any model.
const PLAN: &str = "[[hunt]]\ngame = \"5T\"\nmethod = \"random\"\nplayouts = 20\nrepetitions = 2\n\
                    [[proof]]\ngame = \"5T\"\nboards = [\"square:500\"]\n";

#[test]
fn what_fails_is_tried_again_and_then_given_up_with_its_reason() {
    let (bench, solver) = (Bench::new(), solver());
    bench.write("plan.toml", PLAN);
    let run = ["run", "plan.toml", "--workers", "2", "--json", "--solver", &solver];
    let ran = bench.run(&run).ends_negative();
    let end = ran.json();
    assert_eq!((&end["done"], &end["failed"]), (&2.into(), &1.into()), "{end}");
    assert!(ran.err.contains("given up"), "{}", ran.err);
    let status = bench.run(&["status", "--json"]).succeeds().json();
    assert_eq!(status["runs"][0]["state"], "over");
    let mishaps = status["mishaps"].as_array().expect("a list");
    assert_eq!(mishaps.len(), 3, "{mishaps:?}");
    assert!(mishaps.iter().all(|mishap| mishap["what"] == "failed"), "{mishaps:?}");
    let reason = mishaps[0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("dots"), "{reason}");
    let id = mishaps[0]["task"].as_str().expect("an id");
    let task = bench.run(&["status", "--task", &id[..10], "--json"]).succeeds().json();
    assert_eq!((&task["state"], &task["failures"]), (&"failed".into(), &3.into()));
    assert_eq!(task["body"]["board"], "square:500");
    let told = bench.run(&["status"]).succeeds().out;
    assert!(told.contains("2 of 3 tasks done, 1 failed") && told.contains(reason), "{told}");
    // Nothing is tried again by itself; with --retry it is.
    assert_eq!(bench.run(&run).ends_negative().json()["failed"], 1);
    let events = |bench: &Bench| {
        let status = bench.run(&["status", "--json"]).succeeds().json();
        status["mishaps"].as_array().expect("a list").len()
    };
    assert_eq!(events(&bench), 3);
    bench.run(&[&run[..], &["--retry"]].concat()).ends_negative();
    assert_eq!(events(&bench), 6);
}

#[test]
fn plans_share_what_is_done() {
    let bench = Bench::new();
    let hunt = |seeds: u32| {
        let budget = "method = \"random\"\nplayouts = 10\n";
        format!("[[hunt]]\ngame = \"4D\"\n{budget}repetitions = {seeds}\n")
    };
    bench.write("one.toml", hunt(3));
    bench.write("more.toml", hunt(5));
    bench.run(&["run", "one.toml", "--workers", "1"]).succeeds();
    bench.run(&["run", "more.toml", "--workers", "1"]).succeeds();
    let status = bench.run(&["status", "--json"]).succeeds().json();
    let done: Vec<&Value> =
        status["runs"].as_array().expect("a list").iter().map(|run| &run["done"]).collect();
    assert_eq!(done, [5, 3]);
    let list = bench.run(&["store", "list", "--json", "--method", "random"]).succeeds().json();
    let finds: u64 =
        list.as_array().expect("a list").iter().filter_map(|row| row["finds"].as_u64()).sum();
    assert_eq!(finds, 5, "each hunt has left one find");
}

/// A hunt that would reach 70 moves never, beside one that does soon.
const GROUP: &str = "[[hunt]]\ngame = \"5D\"\nmethod = \"random\"\ntarget = 70\nshare = \"both\"\n\
                     [[hunt]]\ngame = \"5D\"\nmethod = \"temper\"\ntarget = 70\nshare = \"both\"\n";

#[test]
fn a_hunt_is_over_when_another_of_its_group_has_reached_the_target() {
    let bench = Bench::new();
    bench.write("plan.toml", GROUP);
    let end = bench.run(&["run", "plan.toml", "--workers", "2", "--json"]).succeeds().json();
    assert_eq!((&end["done"], &end["failed"]), (&2.into(), &0.into()), "{end}");
    let list = |method: &str| {
        let ran = bench.run(&["store", "list", "--json", "--method", method]).succeeds();
        let scores: Vec<u64> = ran
            .json()
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|row| row["score"].as_u64())
            .collect();
        scores
    };
    assert!(list("temper").iter().max() >= Some(&70));
    let by_chance = list("random");
    assert!(!by_chance.is_empty() && by_chance.iter().max() < Some(&70), "{by_chance:?}");
}

#[test]
fn a_group_of_hunts_shares_a_folder() {
    let bench = Bench::new();
    bench.write("plan.toml", GROUP);
    let spool = format!("spool:{}", bench.path("queue").display());
    std::fs::create_dir(bench.path("queue")).expect("a folder");
    let run = ["run", "plan.toml", "--workers", "2", "--json", "--queue", &spool];
    let end = bench.run(&run).succeeds().json();
    assert_eq!((&end["done"], &end["failed"]), (&2.into(), &0.into()), "{end}");
}

#[test]
fn a_plan_with_a_mistake_is_refused_before_anything_begins() {
    let bench = Bench::new();
    let ran = bench.run(&["run", "plan.toml"]).fails();
    assert!(ran.err.contains("plan.toml"), "{}", ran.err);
    for (text, told) in [
        ("[[hunt]]\ngame = \"5T\"\nplayout = 5\n", "line 3"),
        ("[[hunt]]\ngame = \"5T\"\n", "never end"),
        ("", "the plan is empty"),
        ("\u{0}", "plan.toml"),
    ] {
        bench.write("plan.toml", text);
        let ran = bench.run(&["run", "plan.toml"]).fails();
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    bench.write("plan.toml", PLAN);
    let ran = bench.run(&["run", "plan.toml", "--solver", "nowhere.so"]).fails();
    assert!(ran.err.contains("nowhere.so"), "{}", ran.err);
    assert_eq!(bench.files(), ["plan.toml"]);
}

#[test]
fn a_worker_without_work_waits_as_long_as_it_is_told() {
    let bench = Bench::new();
    bench.run(&["worker", "--idle", "1ms"]).fails();
    bench.find("5D", "game.json");
    bench.run(&["store", "import", "game.json"]).succeeds();
    bench.run(&["worker", "--idle", "1ms"]).succeeds();
    let told = bench.run(&["status"]).succeeds().out;
    assert!(told.contains("no run"), "{told}");
}
