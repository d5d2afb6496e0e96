import type { Translate } from "#core/i18n.ts";
import type { Row } from "./audit.queries.ts";

function wordsOf(t: Translate, key: string): string | null {
  const text: unknown = t(key, { defaultValue: "" });
  return typeof text === "string" && text !== "" ? text : null;
}

/** What was done, in words where there are any. */
export function actionText(t: Translate, action: string): string {
  return wordsOf(t, `audit.actions.${action}`) ?? action;
}

export function kindText(t: Translate, kind: string): string {
  return wordsOf(t, `audit.kinds.${kind}`) ?? kind;
}

/** Who did it: the character's name, else the login, else what it was. */
export function actorText(t: Translate, { kind, name, characterName }: Row["actor"]): string {
  if (kind === "character") return characterName || name;
  if (kind === "anonymous") return t("audit.actors.anonymous");
  if (kind === "account") return name;
  return `${t(`audit.actors.${kind}`)} ${name}`;
}

export function objectText(t: Translate, object: Row["object"]): string {
  if (object === null) return "";
  if (object.kind === "citizen") return `CIT-${object.id}`;
  return `${kindText(t, object.kind)} ${object.id}`;
}
