-- The chain of everything that was added: each link is a hash over the last link and the seal of a
-- row. Rows that disappear, or whose seal changes, break it. Its numbers are never used again, so
-- that its end cannot be cut off.
CREATE TABLE chain (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    what TEXT NOT NULL,        -- the table: `games`, `finds` or `proofs`
    row INTEGER NOT NULL,
    link BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX chain_by_row ON chain (what, row);
