import type { Source } from "./source.ts";
import type { Rule, Violation } from "./rule.ts";

interface HomeWord {
  /** Tried on each lower-case word of a name. */
  readonly name: RegExp;
  /** Tried on the text of comments; the same as `name`, between word boundaries, when left out. */
  readonly comment?: RegExp;
  readonly instead: string;
}

/**
 * Words that this code base once used in a sense of its own, with the field's word. The list is
 * closed: it grows only together with docs/glossary.md.
 */
const homeWords: readonly HomeWord[] = [
  { name: /^doors?$/, instead: "guard" },
  { name: /^sights?$/, instead: "page state, or view scope" },
  { name: /^surroundings$/, instead: "overrides" },
  { name: /^anew$/, instead: "again, retry, reload or refresh" },
  { name: /^condemn(?:s|ed)?$/, instead: "mark as deleted" },
  { name: /^(?:bury|buried|buries)$/, instead: "purge" },
  { name: /^strangers?$/, instead: "orphan (of files), unknown or anonymous caller (of people)" },
  { name: /^loose$/, comment: /\bloose (?:files?|uploads?|ones)\b/, instead: "orphaned" },
  { name: /^portions?$/, instead: "chunk" },
  { name: /^lookups$/, comment: /\blook-ups?\b/, instead: "access log" },
  { name: /^trail$/, instead: "audit log" },
  { name: /^knocks?$/, comment: /\bknock(?:s|ed)?\b/, instead: "connect, or probe" },
  { name: /^(?:(?:un)?heard|hears?)$/, instead: "received, neverCalled, or onX" },
  { name: /^(?:told|tells?)$/, comment: /\b(?:is|are|was|were) told\b/, instead: "publish, notify, report or log" },
  { name: /^whoever$/, instead: "the caller, the client, the user" },
  { name: /^outflow$/, instead: "queue, export" },
];

/** Released migrations, generated types, and the test that shows this rule to bite. */
const exempt = /^infra\/db\/migrations\/\d|^generated\/|^architecture\/architecture\.test\.ts$/;

const exported = /^export\s+(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;
const stored = /define(?:Topic|Event)\(\{\s*(?:name|id):\s*"([^"]+)"/g;
const comments = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*/g;

const wordsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g)].map(([word]) => word.toLowerCase());

function found(kind: string, text: string): string[] {
  return wordsOf(text).flatMap((word) =>
    homeWords.flatMap(({ name, instead }) =>
      name.test(word) ? [`${kind} ${text}: "${word}" is a home word; write ${instead}`] : [],
    ),
  );
}

function inComments(text: string): string[] {
  return [...text.matchAll(comments)].flatMap(([comment]) =>
    homeWords.flatMap(({ name, comment: pattern, instead }) => {
      const whole = pattern ?? new RegExp(`\\b(?:${name.source.replace(/^\^|\$$/g, "")})\\b`);
      const match = whole.exec(comment.toLowerCase());
      return match ? [`comment: "${match[0]}" is a home word; write ${instead}`] : [];
    }),
  );
}

/** The field's words in exported names, file names, topics, events and comments. */
export const fieldWords: Rule = {
  name: "14 the field's words",
  check(sources: readonly Source[]): Violation[] {
    return sources
      .filter(({ path }) => !exempt.test(path) && !path.endsWith(".json"))
      .flatMap(({ path, text }) =>
        [
          ...found(
            "file name",
            path
              .split("/")
              .at(-1)
              ?.replace(/\.\w+$/, "") ?? "",
          ),
          ...[...text.matchAll(exported)].flatMap(([, name = ""]) => found("exported name", name)),
          ...[...text.matchAll(stored)].flatMap(([, name = ""]) => found("topic or event", name)),
          ...inComments(text),
        ].map((problem) => ({ rule: this.name, path, problem })),
      );
  },
};
