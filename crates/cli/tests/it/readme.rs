//! Every command that README.md shows is run.

use std::path::Path;

use crate::common::Bench;

/// Commands that take long, serve, need a queue or a solver, or are examples of flags: their
/// `--help` is run instead.
const HELP_ONLY: [&str; 27] = [
    "morpion search 5D --seed 6 --threads 1 --target 82",
    "morpion search 5D --for 30s --out best.json",
    "morpion search 5T --for 8h --out best.json --resume",
    "morpion search 5T --from game.json --keep 90",
    "morpion bound 5T --by lp --board square:20 --out certificates",
    "morpion verify certificates",
    "morpion prove cover 5T --target 570 -o DIR",
    "morpion prove caps 5D -o DIR",
    "morpion prove boxes 5D --target 121 -o DIR",
    "morpion prove tree 4D -o DIR",
    "morpion prove enumeration 4D -o DIR",
    "morpion endgame games/5D-82.json --keep 60",
    "morpion bound 5T --by lp --board square:20 --picture 20.svg",
    "morpion run plan.toml",
    "morpion worker",
    "morpion run plan.toml --queue nats://host:4222",
    "morpion worker --queue nats://host:4222",
    "morpion experiment scale",
    "morpion learn train 5D --preset small --for 1h --out training",
    "morpion learn play --model models/5D.net",
    "morpion experiment table2 --quick",
    "morpion serve",
    "morpion serve --training training",
    "morpion bench",
    "morpion verify proofs",
    "morpion verify proofs/5D-110.boxes.gz",
    "morpion verify proofs/4D-35.tree.gz proofs/4T-62.tree.gz",
];

/// The commands in backquotes or fenced blocks of the README.
fn commands() -> Vec<String> {
    let text = include_str!("../../../../README.md");
    let mut found: Vec<String> = Vec::new();
    let mut is_fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced {
            found.extend(line.starts_with("morpion ").then(|| line.to_owned()));
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    // `echo 5T | morpion show -` and the like.
    found.retain(|code| code.starts_with("morpion ") || code.contains("| morpion "));
    found.dedup();
    found
}

#[test]
fn every_command_of_the_readme_runs() {
    let bench = Bench::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["games", "proofs", "models"] {
        std::os::unix::fs::symlink(root.join(folder), bench.path(folder)).expect("a link");
    }
    for (from, to) in [("5T-168.json", "game.json"), ("5D-82.json", "best.json")] {
        std::fs::copy(root.join("games").join(from), bench.path(to)).expect("copied");
    }
    bench.run(&["convert", "game.json", "record.psol"]).succeeds();
    bench.write("grid.txt", "5T\n3,0 7,0\n3,-1 3,3\n");
    bench.write("dots.txt", ". o o o\n");
    bench.write("formula.cnf", "p cnf 2 2\n1 2 0\n-1 -2 0\n");
    bench.write("model.txt", "v 1 -2 0\n");
    // Some commands look into an archive before the README fills one.
    bench.run(&["store", "import", "games"]).succeeds();
    let commands = commands();
    assert!(commands.len() > 40, "{}", commands.len());
    for command in &commands {
        let input = command
            .split_once("| morpion ")
            .map(|(echo, _)| echo.trim().strip_prefix("echo ").expect("echo").to_owned() + "\n");
        let words = command.rsplit_once("morpion ").expect("a command").1;
        let mut args: Vec<&str> = words.split(' ').collect();
        if HELP_ONLY.contains(&command.as_str()) {
            // The flags must be those of the command.
            let flags = args.iter().filter(|arg| arg.starts_with("--"));
            let command = &args[..1];
            let help = bench.run(&[command, &["--help"]].concat()).succeeds().out;
            let nested = bench.run(&[&args[..2.min(args.len())], &["--help"]].concat()).out;
            for flag in flags {
                let is_known = help.contains(flag) || nested.contains(flag);
                assert!(is_known, "{flag} of {words} is not in its help");
            }
            continue;
        }
        if args == ["search", "4T", "--start", "dots.txt"] {
            args.extend(["--playouts", "10"]);
        }
        let ran = match input {
            Some(input) => bench.run_with(&args, &input),
            None => bench.run(&args),
        };
        ran.succeeds();
    }
    let missing: Vec<&&str> =
        HELP_ONLY.iter().filter(|command| !commands.iter().any(|c| c == **command)).collect();
    assert!(missing.is_empty(), "no longer in the README: {missing:?}");
}
