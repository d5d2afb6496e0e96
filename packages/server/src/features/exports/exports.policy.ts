import type { TObject } from "typebox";
import type { AccountActor, Actor, Viewer } from "#core/actor.ts";
import { lackError, lackOf } from "#core/access-check.ts";
import { type Access, type EventOf, nextState } from "#core/contract/index.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { AppError } from "#core/errors.ts";
import { validatorOf } from "#core/validator.ts";
import { describeProblem } from "#core/schema-problem.ts";
import { exportsErrors, mostOpen } from "./exports.contract.ts";
import { exportMachine, type ExportState } from "./exports.machine.ts";

/** Why a person may not read a kind of exports, as the request guard would say it; null when they may. */
export function refusalOf(needed: readonly Access[], actor: Actor | null): AppError | null {
  if (actor?.kind !== "account" && actor?.kind !== "character") return new AppError(exportsErrors.refused);
  const viewer = actor.kind === "character" ? actor : null;
  return needed.map((access) => refusalOfOne(access, actor, viewer)).find((refusal) => refusal !== null) ?? null;
}

function refusalOfOne(access: Access, account: AccountActor, viewer: Viewer | null): AppError | null {
  const lack = lackOf(access, { account, viewer });
  if (lack === null) return null;
  // Of the rest the request is to blame, which named no character, or another kind of caller.
  const ofRights = lack === "configAdmin" || lack === "jobAdmin" || lack === "permission";
  return ofRights ? lackError(lack, access, viewer) : new AppError(exportsErrors.refused);
}

type StoredExport = { readonly state: string };

/** The state after the event; null when it is not possible, because the export ended or never did. */
export function stateAfter({ state }: StoredExport, event: EventOf<typeof exportMachine>): ExportState | null {
  return nextState(exportMachine, state as ExportState, event);
}

/** The lowest free slot; throws `exports.tooManyOpen` when there is none. */
export function freeSlot(taken: readonly (number | null)[]): number {
  for (let slot = 1; slot <= mostOpen; slot += 1) if (!taken.includes(slot)) return slot;
  throw new AppError(exportsErrors.tooManyOpen, { params: { most: mostOpen } });
}

/**
 * The filter as the kind takes it: like a query of a list, numbers may be text. Throws `system.invalidInput` when
 * it is none of the kind; unknown fields are refused too.
 */
export function readFilter(schema: TObject, filter: Readonly<Record<string, unknown>>): unknown {
  const refuse = (field: string, problem: string) =>
    new AppError(guardErrors.invalidInput, { params: { field: `body.filter.${field}`, problem } });
  const unknown = Object.keys(filter).find((field) => !Object.hasOwn(schema.properties, field));
  if (unknown !== undefined) throw refuse(unknown, "is not known");
  const validator = validatorOf(schema);
  const converted = validator.Convert({ ...filter });
  if (validator.Check(converted)) return converted;
  const { field, problem } = describeProblem(validator.Errors(converted), schema);
  throw refuse(field, problem);
}
