PRAGMA application_id = 1399876674;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE checkpoint_labels (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    label TEXT NOT NULL,
    checkpoint_id INTEGER NOT NULL REFERENCES checkpoints ON DELETE CASCADE,
    PRIMARY KEY (run_id, label)
) WITHOUT ROWID;
INSERT INTO "checkpoint_labels" VALUES(1,'latest',1);
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
INSERT INTO "checkpoints" VALUES(1,1,0,10,0,1.79480970348192048072e+09,'{"net": "mlp"}',1);
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    path TEXT NOT NULL UNIQUE,  -- from the store's folder, with slashes
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL
);
INSERT INTO "files" VALUES(1,1,'runs/1/checkpoints/000000-48658bc0.safetensors',7,'9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c');
INSERT INTO "files" VALUES(2,1,'runs/1/games/000000-a49cf0e7.safetensors',1231,'d977098cce97885dc88837678feda9ef09195392f72cd3328ea758fbb598e12f');
INSERT INTO "files" VALUES(3,1,'runs/1/resume/000000-4d3e9a94.state',5,'4ba69735ca53765ed6a709edb56c6ea236b7193a3b29a6b390c346f0f4340e4e');
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
INSERT INTO "games" VALUES(1,0,0,'0',20,1,1.0,-1.0,'12 holes to 3',1,0);
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
INSERT INTO "iterations" VALUES(1,0,10,1,1.5,1.79480970352187132839e+09,'{}');
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
INSERT INTO "matches" VALUES(1,1,NULL,'pig','net','random',4,3,1,0,NULL,100.0,NULL,NULL,'5','{}',1.79480970354200744629e+09);
CREATE TABLE metrics (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL,
    iteration INTEGER NOT NULL,
    step INTEGER NOT NULL,
    value REAL,
    PRIMARY KEY (run_id, name, iteration, step)
) WITHOUT ROWID;
INSERT INTO "metrics" VALUES(1,'loss',0,10,0.5);
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
INSERT INTO "ratings" VALUES(1,1,NULL,'pig','net',100.0,50.0,4,1.79480970354594397547e+09);
CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    command TEXT NOT NULL,
    argument TEXT NOT NULL,  -- JSON
    created REAL NOT NULL,
    taken REAL,
    answer TEXT
);
INSERT INTO "requests" VALUES(1,1,'stop','{}',1.7948097035499331951e+09,NULL,NULL);
CREATE TABLE resume_states (
    run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    iteration INTEGER NOT NULL,
    step INTEGER NOT NULL,
    version INTEGER NOT NULL,  -- of the content; the store does not look inside
    created REAL NOT NULL,
    file_id INTEGER NOT NULL UNIQUE REFERENCES files ON DELETE CASCADE
);
INSERT INTO "resume_states" VALUES(1,0,10,1,1.79480970353797221177e+09,3);
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
INSERT INTO "runs" VALUES(1,'sample','pig','{}','{"simulations": 8}','1267650600228229401496703205376','0.1.0',NULL,1.79480970342911767961e+09,'running','','elsewhere 1 1',1.79480970342911767961e+09,'{}');
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
INSERT INTO "shards" VALUES(1,1,0,'net',1,1,14,1.79480970351441454892e+09,2);
CREATE INDEX files_by_run ON files (run_id);
CREATE INDEX checkpoints_by_run ON checkpoints (run_id, iteration);
CREATE INDEX labels_by_checkpoint ON checkpoint_labels (checkpoint_id);
CREATE INDEX shards_by_run ON shards (run_id, iteration);
CREATE INDEX shards_by_checkpoint ON shards (checkpoint_id);
CREATE UNIQUE INDEX games_by_shard ON games (shard_id, place);
CREATE INDEX matches_by_run ON matches (run_id, iteration);
CREATE INDEX ratings_by_player ON ratings (game, player);
CREATE INDEX ratings_by_run ON ratings (run_id, iteration);
CREATE INDEX requests_by_run ON requests (run_id, taken);
COMMIT;
