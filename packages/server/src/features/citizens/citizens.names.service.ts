import { AppError } from "#core/errors.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { SettingsCheck } from "#features/settings/settings.api.ts";
import { settingsErrors } from "#features/settings/settings.contract.ts";
import { countMembers } from "./citizens.reads.ts";

/**
 * Keeps a change of the settings from making a job that characters have another one, off duty: the next data of the
 * game would store them with that job and its rights. Nor does it make one no job at all without being asked.
 */
export function jobNamesCheck(jobs: Pick<JobsApi, "meanings">): SettingsCheck {
  return async (tx, actor, { jobs: before }, { jobs: after }, confirmed) => {
    // Who has the machine can also change it back.
    if (actor.kind !== "account" && actor.kind !== "character") return;
    const named = after.offDutyNames.map((one) => one.slice(0, one.indexOf(":")));
    const names = [...new Set([...named, ...before.notOffDuty])].filter((name) => !confirmed.includes(name));
    const [was, will] = [await jobs.meanings(tx, before), await jobs.meanings(tx, after)];
    const folded = names.filter((name) => will.of(name).offDuty && !was.of(name).offDuty);
    const members = await countMembers(tx, folded);
    const job = folded.find((name) => members.has(name));
    if (job !== undefined)
      throw new AppError(settingsErrors.jobHasMembers, {
        params: { job, members: members.get(job)!, meant: will.of(job).job },
      });
    const idle = after.unemployed.filter((name) => !before.unemployed.includes(name) && !confirmed.includes(name));
    const workers = await countMembers(tx, idle);
    const left = idle.find((name) => workers.has(name));
    if (left !== undefined) throw new AppError(settingsErrors.jobNoWork, { params: { job: left, members: workers.get(left)! } });
  };
}
