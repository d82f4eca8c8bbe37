-- What the hunts of a group tell each other: the best of each, as its finder says.
CREATE TABLE bests (
    key TEXT PRIMARY KEY,
    body BLOB NOT NULL
) STRICT;
