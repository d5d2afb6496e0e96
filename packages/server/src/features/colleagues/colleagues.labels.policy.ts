import { AppError } from "#core/errors.ts";
import { keptRows } from "#core/ordered.ts";
import { colleaguesErrors, type LabelContent, mostLabelsOfJob } from "./colleagues.base.contract.ts";
import type { LabelRow } from "./colleagues.labels.repo.ts";

export const contentOf = ({ name, colour, icon }: LabelContent): LabelContent => ({ name, colour, icon });
export const trimmed = ({ name, colour, icon }: LabelContent): LabelContent => ({ name: name.trim() || name, colour, icon });

export const labelTaken = (name: string) => new AppError(colleaguesErrors.nameTaken, { params: { name } });

/** What speaks against a change of the labels of a job. */
export const kept = keptRows<LabelRow>(mostLabelsOfJob, {
  notFound: colleaguesErrors.labelNotFound,
  nameTaken: colleaguesErrors.nameTaken,
  full: colleaguesErrors.labelsFull,
  deletedFull: colleaguesErrors.deletedFull,
});
