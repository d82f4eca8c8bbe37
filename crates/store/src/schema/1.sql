-- Games and proofs. `seal` is a hash over the other columns of a row.

-- A game, once up to order and symmetry.
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,        -- `5T`, `5T cross:6`, `5T dots:...`
    score INTEGER NOT NULL,
    left INTEGER NOT NULL,     -- how many moves are legal at its end
    file BLOB NOT NULL,        -- morpion-game/1, compressed with gzip
    added INTEGER NOT NULL,    -- seconds since 1970
    seal BLOB NOT NULL
) STRICT;
CREATE INDEX games_by_score ON games (game, score);

-- Who found a game, and how: as often as it was found.
CREATE TABLE finds (
    number INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games (number),
    method TEXT,
    provenance TEXT NOT NULL,  -- JSON, as in morpion-game/1
    origin TEXT NOT NULL,      -- how it came here
    added INTEGER NOT NULL,
    digest BLOB NOT NULL,      -- of the method, the provenance and the origin
    seal BLOB NOT NULL,
    UNIQUE (game, digest)
) STRICT;

-- A proof; its text lies in a file.
CREATE TABLE proofs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,        -- `board`, `game` or `endless`
    game TEXT NOT NULL,
    board TEXT,
    bound INTEGER,
    claim TEXT NOT NULL,
    file TEXT NOT NULL,        -- the name of the file, which is the hash of its bytes
    origin TEXT NOT NULL,
    added INTEGER NOT NULL,
    seal BLOB NOT NULL
) STRICT;
CREATE INDEX proofs_by_bound ON proofs (game, kind, board, bound);
