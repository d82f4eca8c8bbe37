-- Runs: plans, their tasks, and the embedded queue.

-- A plan that was begun.
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,        -- the file, as it was read
    state TEXT NOT NULL,       -- `running`, `stopped`, `over`
    begun INTEGER NOT NULL,    -- milliseconds since 1970, like all times here
    changed INTEGER NOT NULL   -- when its state did
) STRICT;

-- A task, once for all plans that have it. It is done in the same change that adds what came of it.
CREATE TABLE tasks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,        -- morpion-task/1
    state TEXT NOT NULL,       -- `open`, `done`, `failed`
    failures INTEGER NOT NULL, -- how often it failed or its result was refused
    losses INTEGER NOT NULL,   -- how often a worker vanished with it
    game INTEGER REFERENCES games (number),
    proof INTEGER REFERENCES proofs (number),
    worker TEXT,               -- who did it
    seconds REAL,              -- how long that took
    ended INTEGER
) STRICT;
CREATE INDEX tasks_by_end ON tasks (ended) WHERE ended NOTNULL;

CREATE TABLE run_tasks (
    run INTEGER NOT NULL REFERENCES runs (number),
    task INTEGER NOT NULL REFERENCES tasks (number),
    PRIMARY KEY (run, task)
) STRICT, WITHOUT ROWID;

-- What went wrong, for people.
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks (number),
    time INTEGER NOT NULL,
    worker TEXT NOT NULL,
    what TEXT NOT NULL,        -- `refused`, `failed`, `lost`, `given up`
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_task ON events (task);

-- Tasks that wait, or are in the hands of workers.
CREATE TABLE queue (
    number INTEGER PRIMARY KEY,
    task TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    lease INTEGER NOT NULL,    -- how long a claim lasts without a sign of life
    worker TEXT,
    since INTEGER,
    expires INTEGER,
    progress TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX queue_free ON queue (number) WHERE worker IS NULL;
CREATE INDEX queue_claimed ON queue (expires) WHERE worker NOTNULL;

-- What workers have handed in, until the coordinator has settled it.
CREATE TABLE answers (
    number INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    worker TEXT NOT NULL,
    what TEXT NOT NULL,        -- `result`, `failure` or `lost`
    body BLOB NOT NULL
) STRICT;
CREATE INDEX answers_by_task ON answers (task);
