import { changeLabels, type LabelChange, mostPeople } from "@rollcall/server/contract/colleagues";
import { api } from "#core/services.ts";

/** Sends changes of up to as many people as one call takes; returns those that lead back. */
export async function sendChanges(changes: readonly LabelChange[], reason: string): Promise<LabelChange[]> {
  const ids = [...new Set(changes.map(({ id }) => id))];
  const undo: LabelChange[] = [];
  for (let at = 0; at < ids.length; at += mostPeople) {
    const part = new Set(ids.slice(at, at + mostPeople));
    const body = { reason, changes: changes.filter(({ id }) => part.has(id)) };
    undo.push(...(await api.call(changeLabels, { body })).undo);
  }
  return undo;
}
