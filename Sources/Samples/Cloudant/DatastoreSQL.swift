/// The tables of a new datastore, of schema 200 on either platform, as TD_Database.m at bc5f32c and sync-android's migrations at
/// a72b3fc make them (Sources/CloudantStores/FORMAT.md, "Schema").
enum DatastoreSQL {
  static let ios = """
    CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
    CREATE INDEX docs_docid ON docs(docid);
    CREATE TABLE revs (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      doc_id INTEGER NOT NULL REFERENCES docs(doc_id) ON DELETE CASCADE,
      revid TEXT NOT NULL COLLATE REVID,
      parent INTEGER REFERENCES revs(sequence) ON DELETE SET NULL,
      current BOOLEAN,
      deleted BOOLEAN DEFAULT 0,
      json BLOB,
      UNIQUE (doc_id, revid));
    CREATE INDEX revs_current ON revs(doc_id, current);
    CREATE INDEX revs_parent ON revs(parent);
    CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, revid TEXT NOT NULL COLLATE REVID, json BLOB);
    CREATE INDEX localdocs_by_docid ON localdocs(docid);
    CREATE TABLE views (
      view_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, version TEXT, lastsequence INTEGER DEFAULT 0);
    CREATE INDEX views_by_name ON views(name);
    CREATE TABLE maps (
      view_id INTEGER NOT NULL REFERENCES views(view_id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL REFERENCES revs(sequence) ON DELETE CASCADE,
      key TEXT NOT NULL COLLATE JSON,
      value TEXT);
    CREATE INDEX maps_keys ON maps(view_id, key COLLATE JSON);
    \(attachments)
    CREATE TABLE replicators (remote TEXT NOT NULL, push BOOLEAN, last_sequence TEXT, UNIQUE (remote, push));
    CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT);
    PRAGMA user_version = 200;
    """

  static let android = """
    CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT UNIQUE NOT NULL);
    CREATE INDEX docs_docid ON docs(docid);
    CREATE TABLE revs (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      doc_id INTEGER NOT NULL REFERENCES docs(doc_id) ON DELETE CASCADE,
      revid TEXT NOT NULL,
      parent INTEGER REFERENCES revs(sequence) ON DELETE SET NULL,
      current BOOLEAN,
      deleted BOOLEAN DEFAULT 0,
      available BOOLEAN DEFAULT 1,
      json BLOB,
      UNIQUE (doc_id, revid));
    CREATE INDEX revs_current ON revs(doc_id, current);
    CREATE INDEX revs_parent ON revs(parent);
    CREATE TABLE localdocs (docid TEXT UNIQUE NOT NULL, json BLOB);
    \(attachments)
    CREATE UNIQUE INDEX attachments_unique ON attachments(sequence, filename);
    CREATE TABLE replicators (
      remote TEXT NOT NULL, startPush BOOLEAN, last_sequence TEXT, UNIQUE (remote, startPush));
    PRAGMA user_version = 200;
    """

  private static let attachments = """
    CREATE TABLE attachments (
      sequence INTEGER NOT NULL REFERENCES revs(sequence) ON DELETE CASCADE,
      filename TEXT NOT NULL,
      key BLOB NOT NULL,
      type TEXT,
      length INTEGER NOT NULL,
      revpos INTEGER DEFAULT 0,
      encoding INTEGER DEFAULT 0,
      encoded_length INTEGER);
    CREATE INDEX attachments_by_sequence ON attachments(sequence, filename);
    CREATE TABLE attachments_key_filename (key TEXT UNIQUE NOT NULL, filename TEXT UNIQUE NOT NULL);
    """
}
