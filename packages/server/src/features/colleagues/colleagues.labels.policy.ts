import { foldLetters } from "#core/contract/fold.ts";
import { AppError } from "#core/errors.ts";
import { colleaguesErrors, type LabelContent, mostDeletedLabels, mostLabelsOfJob } from "./colleagues.base.contract.ts";
import type { LabelRow } from "./colleagues.labels.repo.ts";

type Row = Pick<LabelRow, "id" | "name_key" | "deleted_at">;

export const contentOf = ({ name, colour, icon }: LabelContent): LabelContent => ({ name, colour, icon });
export const trimmed = ({ name, colour, icon }: LabelContent): LabelContent => ({ name: name.trim() || name, colour, icon });

export const labelTaken = (name: string) => new AppError(colleaguesErrors.nameTaken, { params: { name } });

export function requireFree(rows: readonly Row[], name: string, except: number): void {
  const key = foldLetters(name);
  if (rows.some((row) => row.deleted_at === null && row.name_key === key && row.id !== except)) throw labelTaken(name);
}

export function requireRoom(rows: readonly Row[]): void {
  if (rows.filter((row) => row.deleted_at === null).length >= mostLabelsOfJob)
    throw new AppError(colleaguesErrors.labelsFull, { params: { most: mostLabelsOfJob } });
}

/** Who creates and deletes labels without end is stopped here, for the deleted ones are kept for a while. */
export function requireFewDeleted(rows: readonly Row[]): void {
  if (rows.filter((row) => row.deleted_at !== null).length >= mostDeletedLabels)
    throw new AppError(colleaguesErrors.deletedFull, { params: { most: mostDeletedLabels } });
}

export function findLabel<R extends Row>(rows: readonly R[], id: number, isDeleted: boolean): R {
  const row = rows.find((one) => one.id === id && (one.deleted_at !== null) === isDeleted);
  if (row === undefined) throw new AppError(colleaguesErrors.labelNotFound);
  return row;
}
