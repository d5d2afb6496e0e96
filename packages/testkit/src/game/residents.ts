import type { Job, User } from "@rollcall/sync-sdk";
import type { Resident } from "../../../server/src/cli/demo/players.ts";

/** Jobs of simulated people, each with the grades 1 to 4. */
export const simulatedJobs = ["police", "ambulance", "mechanic", "taxi"] as const;
const grades = [1, 2, 3, 4];

export interface Residents {
  readonly jobs: Job[];
  readonly users: User[];
  readonly residents: readonly Resident[];
}

/** So many people with work, spread over all jobs and grades, and what a game server sends about them. */
export function makeResidents(count: number): Residents {
  const residents = Array.from({ length: count }, (_, i) => {
    const name = simulatedJobs[i % simulatedJobs.length]!;
    return { identifier: `char1:simulated-${i}`, jobs: [{ name, grade: grades[Math.floor(i / 4) % grades.length]! }] };
  });
  return {
    jobs: simulatedJobs.map((name) => ({
      name,
      label: name,
      grades: grades.map((grade) => ({ grade, label: `Grade ${grade}` })),
    })),
    users: residents.map(({ identifier, jobs }, i) => ({
      identifier,
      licence: `simulated-${i}`,
      firstName: "Sim",
      lastName: `No${i}`,
      jobs,
    })),
    residents,
  };
}
