import type { Decider, DecidersNow, Tx } from "#core/ports/index.ts";
import { accountsOfLicences } from "#features/accounts/accounts.reads.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";

/** No job has a higher one. */
const highestGrade = 1_000_000;

/** People of grades above one with a right, up to the highest grade, and job admins. */
export function superiorsOf(permission: string, job: string, grade: number, highest: number = highestGrade): Decider[] {
  const grades = { from: grade + 1, to: highest };
  const superiors: Decider[] = grades.from > grades.to ? [] : [{ by: "right", permission, job, grades }];
  return [...superiors, { by: "jobAdmins", job }];
}

/** A request about a person in a job. */
export interface RequestAbout {
  readonly id: number;
  readonly citizenId: number;
  readonly job: string;
}

/**
 * Who decides requests about people as things are now: the person may have another grade since. The account never decides,
 * whichever of its characters it plays. Two statements.
 */
export async function superiorsNow(
  tx: Tx,
  permission: string,
  requests: readonly RequestAbout[],
): Promise<Map<number, DecidersNow>> {
  const held = await charactersWithJobsById(tx, [...new Set(requests.map(({ citizenId }) => citizenId))]);
  const licences = [...new Set([...held.values()].map(({ licence }) => licence))].filter((licence) => licence !== "");
  const accounts = Map.groupBy(await accountsOfLicences(tx, licences), ({ licence }) => licence);
  return new Map(
    requests.map(({ id, citizenId, job }) => {
      const person = held.get(citizenId);
      const grade = person?.jobs.find((one) => one.job === job)?.grade ?? -1;
      const never = (accounts.get(person?.licence ?? "") ?? []).map(({ accountId }) => accountId);
      return [id, { deciders: superiorsOf(permission, job, grade), never }];
    }),
  );
}
