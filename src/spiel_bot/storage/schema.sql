-- The run store. docs/run_store.md explains every table; migrations.py holds the version.
-- Times are seconds since 1970; columns that hold JSON say so; -1, 0 and 1 are from white's side.

CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again after a deletion: folders carry it
    name TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    game_options TEXT NOT NULL,  -- JSON
    config TEXT NOT NULL,  -- JSON
    seed TEXT NOT NULL,  -- decimal; up to 128 bits do not fit an integer here
    package_version TEXT NOT NULL,
    git_commit TEXT,
    created REAL NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('running', 'paused', 'finished', 'failed', 'interrupted')),
    message TEXT NOT NULL DEFAULT '',
    owner TEXT NOT NULL,  -- the process that trains: host, number, start
    heartbeat REAL NOT NULL,
    progress TEXT NOT NULL DEFAULT '{}'  -- JSON
);

-- Every file beside the database. A row appears when its file is complete, never before.
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    path TEXT NOT NULL UNIQUE,  -- from the store's folder, with slashes
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL
);
CREATE INDEX files_by_run ON files (run_id);

CREATE TABLE iterations (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number INTEGER NOT NULL,
    step INTEGER NOT NULL,  -- gradient steps of the run so far
    games INTEGER NOT NULL,  -- games of the run so far
    seconds REAL NOT NULL,
    finished REAL NOT NULL,
    details TEXT NOT NULL,  -- JSON
    PRIMARY KEY (run_id, number)
) WITHOUT ROWID;

-- In the order a chart reads them. A value that is not a number is NULL.
CREATE TABLE metrics (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL,
    iteration INTEGER NOT NULL,
    step INTEGER NOT NULL,
    value REAL,
    PRIMARY KEY (run_id, name, iteration, step)
) WITHOUT ROWID;

CREATE TABLE checkpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    iteration INTEGER NOT NULL,
    step INTEGER NOT NULL,
    is_kept INTEGER NOT NULL CHECK (is_kept IN (0, 1)),
    created REAL NOT NULL,
    details TEXT NOT NULL,  -- JSON
    file_id INTEGER UNIQUE REFERENCES files ON DELETE SET NULL  -- NULL once the weights are gone
);
CREATE INDEX checkpoints_by_run ON checkpoints (run_id, iteration);

CREATE TABLE checkpoint_labels (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    label TEXT NOT NULL,
    checkpoint_id INTEGER NOT NULL REFERENCES checkpoints ON DELETE CASCADE,
    PRIMARY KEY (run_id, label)
) WITHOUT ROWID;
CREATE INDEX labels_by_checkpoint ON checkpoint_labels (checkpoint_id);

CREATE TABLE shards (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    iteration INTEGER NOT NULL,
    players TEXT NOT NULL,
    checkpoint_id INTEGER REFERENCES checkpoints ON DELETE SET NULL,
    num_games INTEGER NOT NULL,
    num_decisions INTEGER NOT NULL,
    created REAL NOT NULL,
    file_id INTEGER NOT NULL UNIQUE REFERENCES files ON DELETE CASCADE
);
CREATE INDEX shards_by_run ON shards (run_id, iteration);
CREATE INDEX shards_by_checkpoint ON shards (checkpoint_id);

CREATE TABLE games (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    seed TEXT NOT NULL,  -- decimal
    plies INTEGER NOT NULL,
    result INTEGER NOT NULL CHECK (result IN (-1, 0, 1)),
    white_return REAL NOT NULL,
    black_return REAL NOT NULL,
    score TEXT NOT NULL,
    shard_id INTEGER NOT NULL REFERENCES shards ON DELETE CASCADE,
    place INTEGER NOT NULL,  -- in the shard, from 0
    PRIMARY KEY (run_id, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX games_by_shard ON games (shard_id, place);

CREATE TABLE matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER REFERENCES runs ON DELETE CASCADE,
    iteration INTEGER,
    game TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,  -- of the first player, and so on
    losses INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    margin REAL,
    elo REAL,
    elo_error REAL,
    distinct_games INTEGER,
    seed TEXT NOT NULL,  -- decimal
    details TEXT NOT NULL,  -- JSON
    created REAL NOT NULL
);
CREATE INDEX matches_by_run ON matches (run_id, iteration);

CREATE TABLE ratings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER REFERENCES runs ON DELETE CASCADE,
    iteration INTEGER,
    game TEXT NOT NULL,
    player TEXT NOT NULL,
    elo REAL NOT NULL,
    error REAL NOT NULL,
    games INTEGER NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX ratings_by_player ON ratings (game, player);
CREATE INDEX ratings_by_run ON ratings (run_id, iteration);

CREATE TABLE resume_states (
    run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    iteration INTEGER NOT NULL,
    step INTEGER NOT NULL,
    version INTEGER NOT NULL,  -- of the content; the store does not look inside
    created REAL NOT NULL,
    file_id INTEGER NOT NULL UNIQUE REFERENCES files ON DELETE CASCADE
);

CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    command TEXT NOT NULL,
    argument TEXT NOT NULL,  -- JSON
    created REAL NOT NULL,
    taken REAL,
    answer TEXT
);
CREATE INDEX requests_by_run ON requests (run_id, taken);
