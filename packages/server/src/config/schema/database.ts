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
  // Any name that the databases allow; whether the column exists is checked later.
  if (/^[^\p{Cc}]{1,64}$/u.test(value) && value === value.trim()) return accept(value);
  return refuse(`"${value}" is not a column name`, "write the name of a column, or - to remove the field");
}

const column = (meaning: string) =>
  textual<CustomColumn, { meaning: string; inEffect: true; example: string }>(
    { meaning, inEffect, example: '"-"' },
    { parse: parseColumn },
  );

const columns = {
  user: {
    visum: column("Column of citizens with the visa level, which may be one that you added; - removes the field."),
    playtime: column("Column of citizens with the play time, which may be one that you added; - removes the field."),
  },
  vehicle: { model: column("Column of vehicles with the model, which may be one that you added; - removes the field.") },
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
  maxOpenConns: numeric({ default: 32, inEffect, meaning: "Largest number of open connections of the process." }, count),
  maxIdleConns: numeric({ default: 5, inEffect, meaning: "Largest number of idle connections." }, { min: 0, max: 100_000 }),
  connMaxIdleTime: duration({
    default: "15m",
    inEffect,
    meaning: "Time after which an idle connection is closed; 0 means never.",
  }),
  connMaxLifetime: duration({
    default: "60m",
    inEffect,
    meaning: "Age at which a connection is replaced; 0 means never.",
  }),
  disableLocking: flag({
    default: false,
    inEffect,
    meaning: "Avoid GET_LOCK, LOCK TABLES and locking reads, for databases that do not support them (Galera, Vitess).",
  }),
  skipMigrations: flag({
    default: false,
    inEffect,
    meaning: "Do not migrate the schema at start; run rollcall migrate yourself.",
  }),
  custom: {
    columns: fields(
      { inEffect, example: '{user: {visum: "-"}}', meaning: "Other column names for individual fields." },
      columns,
      {
        user: { visum: null, playtime: null },
        vehicle: { model: null },
      },
    ),
    conditions: fields(
      {
        inEffect,
        example: "{user: {filterEmptyName: true}}",
        meaning: "Additional conditions for lists.",
      },
      conditions,
      {
        user: { filterEmptyName: false },
      },
    ),
  },
};
