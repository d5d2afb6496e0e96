import type { Translate } from "#core/i18n.ts";
import { textOf } from "#core/messages.ts";
import type { Row } from "./audit.queries.ts";
import { featureOfKind } from "./objects.ts";

type Named = Pick<NonNullable<Row["object"]>, "kind" | "id">;

/** Label of a job by its name. */
export type JobLabel = (name: string) => string;

/** The name of an action; the id itself for entries of older versions whose action has no text any more. */
export function actionText(t: Translate, action: string): string {
  const [feature = "", verb = ""] = action.split(".", 2);
  return (verb === "" ? textOf(t, `${feature}.name`) : textOf(t, `${feature}.actions.${verb}`)) ?? action;
}

/** The feature of an action, as `Citizens`. */
export function featureText(t: Translate, feature: string): string {
  return textOf(t, `${feature}.name`) ?? feature;
}

function ownText(t: Translate, of: "objects" | "objectNames", kind: string, params: Record<string, string> = {}): string | null {
  const [feature = "", own = ""] = kind.includes(".") ? kind.split(".", 2) : [featureOfKind[kind], kind];
  return textOf(t, `${feature}.panel.${of}.${own}`, params);
}

/** The name of a kind of object; the kind itself where no feature declares it any more. */
export function kindText(t: Translate, kind: string): string {
  return ownText(t, "objects", kind) ?? kind;
}

/** The actor: the character's name, else the login, else the kind of actor. A sign-in names the account that it opened. */
export function actorText(t: Translate, { actor, target, result }: Pick<Row, "actor" | "target" | "result">): string {
  const { kind, name, characterName } = actor;
  if (kind === "character") return characterName || name;
  if (kind === "anonymous") return (result === "ok" && target?.kind === "account" && target.name) || t("audit.actors.anonymous");
  if (kind === "account") return name;
  if (kind === "system") return t("audit.actorAndName", { actor: t("audit.actors.system"), name: taskText(t, name) });
  return `${t(`audit.actors.${kind}`)} ${name}`;
}

/** The name of a schedule by its id. */
function taskText(t: Translate, id: string): string {
  const [feature = "", verb = ""] = id.split(".", 2);
  return (
    textOf(t, `${feature}.panel.jobs.${verb}`) ?? textOf(t, `${feature}.actions.${verb}`) ?? textOf(t, `audit.values.${id}`) ?? id
  );
}

/** `police/3` as text; the job is empty for the default role. */
export function roleText(t: Translate, role: string, jobLabel: JobLabel): string {
  const [job = "", grade = ""] = role.split("/", 2);
  return job === "" ? t("audit.defaultRole") : t("audit.jobAndGrade", { job: jobLabel(job), grade });
}

export function objectText(t: Translate, object: Named | null, jobLabel: JobLabel): string {
  if (object === null) return "";
  const { kind, id } = object;
  // Removed by a manifest: several objects without a single id.
  if (id === "manifest") return kindText(t, kind);
  if (kind === "role") return id.startsWith("/") ? t("audit.defaultRole") : `${kindText(t, kind)} ${roleText(t, id, jobLabel)}`;
  if (kind === "scheduledJob") return taskText(t, id);
  const named = ownText(t, "objectNames", kind, { id, job: jobLabel(id), first: id.split("/", 1)[0]! });
  return named ?? `${kindText(t, kind)} ${id}`;
}

/** What an entry is about: the name of who or what it was, where it is known. */
export function aboutText(t: Translate, { object, target }: Pick<Row, "object" | "target">, jobLabel: JobLabel): string {
  return target?.name ?? object?.name ?? objectText(t, object, jobLabel);
}
