"""The tables of a log in PostgreSQL."""

from __future__ import annotations

SCHEMA = """
CREATE SCHEMA IF NOT EXISTS passline;
CREATE TABLE IF NOT EXISTS passline.entries (
    sequence BIGINT PRIMARY KEY, stream TEXT NOT NULL, version BIGINT NOT NULL, actor TEXT NOT NULL, id TEXT NOT NULL,
    hand BIGINT NOT NULL, body BYTEA NOT NULL, hash BYTEA NOT NULL, seal BYTEA NOT NULL,
    UNIQUE (stream, version), UNIQUE (stream, actor, id));
CREATE INDEX IF NOT EXISTS entries_by_hand ON passline.entries (stream, hand);
CREATE TABLE IF NOT EXISTS passline.writer (is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only));
INSERT INTO passline.writer VALUES (TRUE) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS passline.secrets (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BYTEA NOT NULL, expires TEXT NOT NULL, PRIMARY KEY (kind, key));
CREATE TABLE IF NOT EXISTS passline.counters (
    kind TEXT NOT NULL, key TEXT NOT NULL, number BIGINT NOT NULL, expires TEXT NOT NULL, PRIMARY KEY (kind, key));
CREATE TABLE IF NOT EXISTS passline.given_up (
    stream TEXT NOT NULL, actor TEXT NOT NULL, id TEXT NOT NULL, at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (stream, actor, id));
CREATE INDEX IF NOT EXISTS given_up_by_time ON passline.given_up (at);
CREATE INDEX IF NOT EXISTS secrets_by_expiry ON passline.secrets (expires);
CREATE INDEX IF NOT EXISTS counters_by_expiry ON passline.counters (expires);
CREATE TABLE IF NOT EXISTS passline.snapshots (
    stream TEXT PRIMARY KEY, version BIGINT NOT NULL, sequence BIGINT NOT NULL, hash BYTEA NOT NULL,
    state BYTEA NOT NULL, signature BYTEA NOT NULL);
CREATE OR REPLACE FUNCTION passline.only_grows() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the log only grows'; END $$;
CREATE OR REPLACE TRIGGER entries_stay BEFORE UPDATE OR TRUNCATE ON passline.entries
    FOR EACH STATEMENT EXECUTE FUNCTION passline.only_grows();
CREATE TABLE IF NOT EXISTS passline.archives (
    number BIGINT PRIMARY KEY, first BIGINT NOT NULL, last BIGINT NOT NULL, segment BYTEA NOT NULL);
CREATE TABLE IF NOT EXISTS passline.archived_streams (
    stream TEXT NOT NULL, number BIGINT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL,
    first_hand BIGINT NOT NULL, last_hand BIGINT NOT NULL, PRIMARY KEY (stream, number));
CREATE TABLE IF NOT EXISTS passline.archived_ids (
    key BIGINT NOT NULL, sequence BIGINT NOT NULL, PRIMARY KEY (key, sequence));
CREATE OR REPLACE FUNCTION passline.only_archived_go() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM gone WHERE sequence > (SELECT COALESCE(MAX(last), 0) FROM passline.archives)) THEN
        RAISE EXCEPTION 'the log only grows';
    END IF;
    RETURN NULL; END $$;
CREATE OR REPLACE TRIGGER archived_entries_go AFTER DELETE ON passline.entries REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION passline.only_archived_go();
CREATE TABLE IF NOT EXISTS passline.archive_parts (
    name TEXT NOT NULL, part BIGINT NOT NULL, data BYTEA NOT NULL, PRIMARY KEY (name, part));
ALTER TABLE passline.archive_parts ALTER COLUMN data SET STORAGE EXTERNAL;
"""
"""Makes the tables. What is packed already is stored as it is: that is what EXTERNAL says."""
IS_MADE = "SELECT to_regclass('passline.archive_parts') IS NOT NULL"
"""Tells whether all of them are there: this one is made last."""
