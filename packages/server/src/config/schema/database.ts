import { hideDsnPassword, parseDsn } from "../dsn.ts";
import { accept, refuse, type Parsed } from "../parsed.ts";
import { plain } from "../tree.ts";
import { fields } from "./collections.ts";
import { duration, flag, numeric, textual } from "./kinds.ts";

const inEffect = true;

/** A column name; null is the built-in one, false removes the field everywhere. */
export type CustomColumn = string | false | null;

function parseColumn(value: string): Parsed<CustomColumn> {
  if (value === "-") return accept(false);
  if (/^[A-Za-z_][A-Za-z0-9_$]{0,62}$/.test(value)) return accept(value);
  return refuse(`"${value}" is not a column name`, "write the name of a column, or - to remove the field");
}

const column = (meaning: string) =>
  textual<CustomColumn, { meaning: string; inEffect: true; example: string }>(
    { meaning, inEffect, example: '"-"' },
    { parse: parseColumn },
  );

const columns = {
  user: {
    visum: column("Column of the visa level of citizens; - removes the field."),
    playtime: column("Column of the play time of citizens; - removes the field."),
  },
  vehicle: { model: column("Column of the model of vehicles; - removes the field.") },
};

const conditions = {
  user: {
    filterEmptyName: flag({
      default: false,
      inEffect,
      meaning: "Leave citizens without first or last name out of every list.",
    }),
  },
};

const count = { min: 1, max: 100_000 };

export const database = {
  dsn: textual(
    {
      required: true,
      secret: true,
      inEffect,
      example: '"user:password@tcp(127.0.0.1:3306)/rollcall?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin"',
      meaning:
        "The database: a MariaDB or MySQL server in this shape, or sqlite:./data/rollcall.db?loc=Europe%2FBerlin for one file. loc is the time zone of calendar days.",
    },
    {
      parse: (value, reading) => parseDsn(value, reading.cwd),
      mustDiffer: false,
      show: (node) => (node.kind === "scalar" ? hideDsnPassword(node.text) : plain(node)),
    },
  ),
  maxOpenConns: numeric({ default: 32, inEffect, meaning: "Most connections that the process opens at once." }, count),
  maxIdleConns: numeric(
    { default: 5, inEffect, meaning: "Most connections that are kept open without work." },
    { min: 0, max: 100_000 },
  ),
  connMaxIdleTime: duration({
    default: "15m",
    inEffect,
    meaning: "Time after which a connection without work is closed; 0 is never.",
  }),
  connMaxLifetime: duration({
    default: "60m",
    inEffect,
    meaning: "Age at which a connection is replaced; 0 is never.",
  }),
  disableLocking: flag({
    default: false,
    inEffect,
    meaning: "Do without GET_LOCK, LOCK TABLES and locking reads, for databases that lack them (Galera, Vitess).",
  }),
  skipMigrations: flag({
    default: false,
    inEffect,
    meaning: "Leave the schema alone at start; run rollcall migrate yourself.",
  }),
  custom: {
    columns: fields({ inEffect, example: '{user: {visum: "-"}}', meaning: "Other column names for single fields." }, columns, {
      user: { visum: null, playtime: null },
      vehicle: { model: null },
    }),
    conditions: fields(
      {
        inEffect,
        example: "{user: {filterEmptyName: true}}",
        meaning: "Further conditions on what is listed.",
      },
      conditions,
      {
        user: { filterEmptyName: false },
      },
    ),
  },
};
