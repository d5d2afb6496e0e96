import type { Demo } from "#core/demo.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import { charactersWithJobs } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { demoGroups, demoJob, demoPlaces } from "./jobgroups.demo.policy.ts";
import { addPosts } from "./jobgroups.members.repo.ts";
import { groupsOf, writeParts } from "./jobgroups.repo.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";
import type { GroupsService } from "./jobgroups.service.ts";

export interface JobgroupsDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "job">;
  readonly groups: GroupsService;
  readonly resolver: Resolver;
}

/** From the start, where those of the logins are. */
const looked = 800;
const trainers = 6;

/** Groups of a job of the demo city. */
export class JobgroupsDemo {
  readonly #deps: JobgroupsDemoDeps;

  constructor(deps: JobgroupsDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    const { db, clock, jobs, groups, resolver } = this.#deps;
    const identifiers = demo.city.people.slice(0, looked).map(({ identifier }) => identifier);
    return await db.write("jobgroups.demo", async (tx) => {
      if ((await groupsOf(tx, demoJob)).length > 0) return 0;
      const grades = (await jobs.job(tx, demoJob))?.grades.map(({ grade }) => grade) ?? [];
      const contents = demoGroups(grades);
      const ids: number[] = [];
      for (const content of contents) ids.push(await groups.add(tx, demo.actor, demoJob, content));
      const contains = [ids[demoPlaces.command]!, ids[demoPlaces.training]!];
      await writeParts(tx, { id: ids[demoPlaces.planning]!, job: demoJob }, { rules: [], contains });
      const found = await charactersWithJobs(tx, identifiers);
      const people = identifiers
        .flatMap((identifier) => found.get(identifier) ?? [])
        .filter(({ jobs: [first] }) => first?.job === demoJob)
        .map(({ id }) => id);
      const chosen = people.slice(0, trainers);
      const row = { group_id: ids[demoPlaces.training]!, job: demoJob, added_by: chosen[0] ?? null, added_at: clock.now() };
      const rows = chosen.map((citizen_id) => ({ ...row, citizen_id }));
      await addPosts(tx, "jobgroups_hand", rows);
      await addPosts(tx, "jobgroups_leaders", rows.slice(0, 1));
      await resolver.people(tx, demoJob, people);
      return contents.length;
    });
  }
}
