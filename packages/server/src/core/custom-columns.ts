import type { Column, Table } from "./db/table.ts";

/** `database.custom.columns` names a column that cannot back its field. The message is one line for the operator. */
export class CustomColumnRefused extends Error {
  override name = "CustomColumnRefused";
}

/** A field whose column `database.custom.columns` may name. */
export interface CustomColumn {
  /** Below `database.custom.columns`. */
  readonly option: string;
  readonly table: Table;
  readonly holds: "number" | "text";
  /** Rollcall's columns with fields of the object; the others are internal bookkeeping. */
  readonly fields: readonly string[];
  /** The column when nothing is set. */
  readonly standard: string;
  /** The configured value: null when unset, false switches the field off. */
  readonly value: string | false | null;
}

/** Why a column is refused, and what to configure instead. */
export interface ColumnTrouble {
  readonly what: string;
  readonly instead: string;
}

const numbers = /int|real|floa|doub|dec|num|year|bool/i;
const bytes = /blob|binary|^bit|geometry|point|polygon|linestring/i;
const isNumber = ({ type }: Column) => type === "int" || type === "flag" || type === "double";

/** Column names are case-insensitive in both databases. */
function declared(table: Table, name: string): string | undefined {
  return Object.keys(table.columns).find((column) => column.toLowerCase() === name.toLowerCase());
}

function advice({ table, fields, holds }: CustomColumn): string {
  const fitting = fields.filter((name) => holds === "text" || isNumber(table.columns[name]!));
  return `write one of ${fitting.join(", ")}, a column that you added to ${table.name}, or - to switch the field off`;
}

/** The problem as far as the tables of this version show it; null when there is none. */
function ownTrouble(column: CustomColumn, name: string): ColumnTrouble | null {
  const { table, fields, holds } = column;
  if (!fields.includes(name))
    return { what: `${name} of ${table.name} is internal bookkeeping of Rollcall and is never shown`, instead: advice(column) };
  if (holds === "number" && !isNumber(table.columns[name]!))
    return { what: `${name} of ${table.name} holds text, and the field is a number`, instead: advice(column) };
  return null;
}

/** The column behind a field, spelled as declared if Rollcall declares it; null when the field is off. Throws `CustomColumnRefused`. */
export function columnBehind(column: CustomColumn): string | null {
  const { value, standard, table } = column;
  if (value === null) return standard;
  if (value === false) return null;
  const own = declared(table, value);
  if (own === undefined) return value;
  const trouble = ownTrouble(column, own);
  if (trouble) throw refusal(column, trouble);
  return own;
}

/** Whether the column was added by the operator, so that only the database knows its type. */
export function isAdded({ table, value }: CustomColumn): boolean {
  return typeof value === "string" && declared(table, value) === undefined;
}

/** What is wrong with a configured column, given the column types in the database. */
export function columnTrouble(column: CustomColumn, types: ReadonlyMap<string, string>): ColumnTrouble | null {
  const { value, table, holds } = column;
  if (typeof value !== "string") return null;
  const own = declared(table, value);
  if (own !== undefined) return ownTrouble(column, own);
  const found = [...types].find(([name]) => name.toLowerCase() === value.toLowerCase());
  if (!found) return { what: `there is no column ${JSON.stringify(value)} in ${table.name}`, instead: advice(column) };
  const [, type] = found;
  const fits = type === "" || (holds === "number" ? numbers.test(type) && !bytes.test(type) : !bytes.test(type));
  if (fits) return null;
  return {
    what: `the column ${JSON.stringify(value)} of ${table.name} is ${type.toLowerCase()}, and the field is a ${holds}`,
    instead: advice(column),
  };
}

export function refusal({ option }: CustomColumn, { what, instead }: ColumnTrouble): CustomColumnRefused {
  return new CustomColumnRefused(`database.custom.columns.${option}: ${what}; ${instead}`);
}

/** The value of a column of any type as a whole number; null if it is not one. */
export function wholeNumberOf(value: unknown): number | null {
  if (value === null || value === undefined || value instanceof Uint8Array || value === "") return null;
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) ? number : null;
}
