import type { ProcedureStatement } from "#core/db/procedure.ts";
import type { DatabaseKind } from "#core/ports/database.ts";
import type { SearchSql } from "#core/ports/search.ts";

/** Objects that are looked at for words, and for codes. */
const mostByWord = 250;
const mostByCode = 150;
/** Most objects read for parts of codes before the words of the search are compared. */
const mostRead = 2_000;
/** Most objects read for a beginning of so few letters that any number of words begins like it. */
const mostOfShort = 20_000;
const shortBeginning = 3;
/** Most objects read for one part of a code that is searched by similar ones. */
const mostOfPart = 1_000;
/** Parts of a code that similar codes are searched by. */
export const comparedParts = 8;

/** Where the two databases differ. */
interface Words {
  /** Rows of a JSON array of arrays of integers, under these names. */
  rows(alias: string, columns: readonly string[]): string;
  /** A join in the order in which it is written. */
  readonly join: string;
  index(name: string): string;
}

const dialects: Readonly<Record<DatabaseKind, Words>> = {
  sqlite: {
    rows: (alias, columns) =>
      `(select ${columns.map((name, at) => `value ->> ${at} as ${name}`).join(", ")} from json_each(?) limit -1 offset 0) ${alias}`,
    join: "cross join",
    index: () => "",
  },
  mariadb: {
    rows: (alias, columns) =>
      `json_table(?, '$[*]' columns (${columns.map((name, at) => `${name} bigint path '$[${at}]'`).join(", ")})) ${alias}`,
    join: "straight_join",
    index: (name) => ` force index (${name})`,
  },
};

/** The fields as one text: ` name phone `; empty for all. */
export const fieldList = (fields: readonly string[] | null) => (fields === null ? "" : ` ${fields.join(" ")} `);
const inFields = "(? = '' or instr(?, concat(' ', w.field, ' ')) > 0)";

const everything: SearchSql = { sql: "1 = 1", params: [] };

function visibleAs(condition: SearchSql | null, id: string): SearchSql {
  const { sql, params } = condition ?? everything;
  return { sql: sql.replaceAll("{id}", id), params };
}

/** The words of a search that begins like these. */
export interface WordsAsked {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** Bits that the objects must have. */
  readonly beginnings: number;
  /** The other words that were typed. */
  readonly others: readonly string[];
}

export interface CodesAsked {
  readonly from: number;
  readonly to: number;
  readonly beginnings: number;
}

export interface SearchScope {
  readonly kind: string;
  /** As of `fieldList`. */
  readonly fields: string;
  readonly condition: SearchSql | null;
}

/** The beginnings of other words that the texts are compared with, because objects may have their bits by chance. */
const comparedWords = 3;
const hasOthers = Array.from({ length: comparedWords }, () => `instr(replace(e.texts, '"', ' '), ?) > 0`).join(" and ");

/** The texts of objects with a word that begins like the typed one, and of those with a code that contains a typed one. */
export function containing(
  database: DatabaseKind,
  { kind, fields, condition }: SearchScope,
  { from, to, beginnings, others }: WordsAsked,
  codes: readonly CodesAsked[],
): ProcedureStatement {
  const { rows, join, index } = dialects[database];
  const [byWord, byCode] = [visibleAs(condition, "p.id"), visibleAs(condition, "c.id")];
  const posted = `search_words w${index("search_words_text")} ${join} search_postings p`;
  const begins = `p.word = w.word and w.kind = ? and w.text >= ? and w.text < ? and ${inFields} and ${byWord.sql}`;
  const byBeginning =
    from.length > shortBeginning
      ? `${posted} ${join} search_documents e
  where ${begins} and (p.beginnings & ?) = ? and e.kind = ? and e.id = p.id`
      : `(select p.id as id, p.beginnings as marks from ${posted} where ${begins} limit ${mostOfShort}) o ${join} search_documents e
  where (o.marks & ?) = ? and e.kind = ? and e.id = o.id`;
  const sql = `select id, texts from (select e.id as id, e.texts as texts from ${byBeginning} and ${hasOthers} limit ${mostByWord}) a
union all
select id, texts from (select e.id as id, e.texts as texts from (select c.id as id, r.marks as marks
    from ${rows("r", ["low", "high", "marks"])} ${join} search_codes c${index("primary")}
    where c.part >= r.low and c.part < r.high and ${byCode.sql} limit ${mostRead}) s
  ${join} search_documents e where e.kind = ? and e.id = s.id and (e.beginnings & s.marks) = s.marks limit ${mostByCode}) b`;
  const ranges = JSON.stringify(codes.map((range) => [range.from, range.to, range.beginnings]));
  const words = [kind, from, to, fields, fields, ...byWord.params, beginnings, beginnings, kind];
  // Every text has a blank.
  const compared = Array.from({ length: comparedWords }, (_, at) => ` ${others[at] ?? ""}`);
  return { sql, params: [...words, ...compared, ranges, ...byCode.params, kind] };
}

/** One key of a similar word. */
export interface VariantAsked {
  readonly unit: number;
  readonly variant: number;
  /** Bits that the objects must have, and those that they have if only this word is misspelt. */
  readonly initials: number;
  readonly beginnings: number;
}

/** The texts of objects with similar words, and of those with similar codes. */
export function similar(
  database: DatabaseKind,
  { kind, fields, condition }: SearchScope,
  variants: readonly VariantAsked[],
  codes: readonly Omit<CodesAsked, "beginnings">[],
): ProcedureStatement {
  const { rows, join } = dialects[database];
  const [byWord, byCode] = [visibleAs(condition, "p.id"), visibleAs(condition, "c.id")];
  const part = (at: number) =>
    `select id from (select c.id as id from search_codes c where c.part >= ? and c.part < ? and ${byCode.sql} limit ${mostOfPart}) c${at}`;
  const parts = Array.from({ length: comparedParts }, (_, at) => part(at));
  const sql = `select d.id as id, d.texts as texts from (
select id from (select p.id as id, count(distinct r.unit) as units, max((p.beginnings & r.every) = r.every) as fits
  from ${rows("r", ["unit", "variant", "first", "every"])} ${join} search_variants v ${join} search_words w ${join} search_postings p
  where v.variant = r.variant and w.word = v.word and ${inFields} and p.word = v.word
  and (p.beginnings & r.first) = r.first and ${byWord.sql}
  group by p.id order by fits desc, units desc, id limit ${mostByWord}) a
union
select id from (select id, count(*) as parts from (${parts.join(" union all ")}) l
  group by id order by parts desc, id limit ${mostByCode}) b
) f ${join} search_documents d where d.kind = ? and d.id = f.id`;
  const keys = JSON.stringify(variants.map(({ unit, variant, initials, beginnings }) => [unit, variant, initials, beginnings]));
  const ranges = Array.from({ length: comparedParts }, (_, at) => codes[at] ?? { from: 0, to: 0 });
  return {
    sql,
    params: [keys, fields, fields, ...byWord.params, ...ranges.flatMap(({ from, to }) => [from, to, ...byCode.params]), kind],
  };
}

export const countAmong = (among: SearchSql, most: number): ProcedureStatement => ({
  sql: `select count(*) as n from (select id from (${among.sql}) v limit ${most + 1}) few`,
  params: among.params,
});

/** The texts of all objects that are visible. */
export function textsAmong(
  database: DatabaseKind,
  { kind, condition }: Pick<SearchScope, "kind" | "condition">,
  among: SearchSql,
): ProcedureStatement {
  const visible = visibleAs(condition, "d.id");
  const sql = `select d.id as id, d.texts as texts from (select distinct id from (${among.sql}) v) f
${dialects[database].join} search_documents d where d.kind = ? and d.id = f.id and ${visible.sql}`;
  return { sql, params: [...among.params, kind, ...visible.params] };
}
