import { expect, test } from "vitest";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { listJobs, syncJobs, syncJobsDelete } from "#features/jobs/jobs.contract.ts";
import { syncVehicles } from "#features/vehicles/vehicles.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";

const sync = { token: testSecrets.sync };

describeApps("an item that a person would not mean so", (get) => {
  const send = async (...items: { name: string; label: string; grades: { grade: number; label: string }[] }[]) =>
    (await get().app.call(syncJobs, { body: { items } }, sync)).output;
  const gradesOf = async (job: string) => {
    const { token } = await get().world.actor();
    const { jobs } = (await get().app.call(listJobs, {}, { token })).output;
    return jobs.find(({ name }) => name === job)?.grades.map(({ grade }) => grade);
  };

  test("is rejected when it takes all grades of a job, with what to do, and is stored once the job is reported as deleted", async () => {
    const { app, world } = get();
    await world.job("emptied", [0, 1, 2]);
    const other = { name: "beside-it", label: "Beside it", grades: [] };
    const emptied = { name: "emptied", label: "Emptied", grades: [] };
    for (let times = 0; times < 2; times += 1) {
      expect(await send(emptied, other)).toEqual({
        accepted: times === 0 ? 1 : 0,
        unchanged: times,
        rejected: [
          {
            index: 0,
            id: "emptied",
            code: "sync.itemInvalid",
            message:
              "grades is empty, although the job has 3 grades; send the grades that are left, or report the job as deleted (jobs/delete) before it is sent without grades",
          },
        ],
      });
    }
    expect(await gradesOf("emptied")).toEqual([0, 1, 2]);
    await app.call(syncJobsDelete, { body: { names: ["emptied"] } }, sync);
    expect(await send(emptied)).toMatchObject({ accepted: 1, rejected: [] });
    expect(await gradesOf("emptied")).toEqual([]);
  });

  test("is rejected when it has a grade twice", async () => {
    const twice = [0, 3, 3].map((grade, i) => ({ grade, label: `Grade ${i}` }));
    expect((await send({ name: "twice", label: "Twice", grades: twice })).rejected).toEqual([
      {
        index: 0,
        id: "twice",
        code: "sync.itemInvalid",
        message: "grades.2.grade is 3, as that of grades.1; send each grade once",
      },
    ]);
  });

  test("is rejected when its date of birth is in no calendar, or its plate has a blank at its end, in words", async () => {
    const { app } = get();
    const person = { identifier: "born:31", firstName: "Mara", lastName: "Lind", jobs: [{ name: "police", grade: 0 }] };
    const people = ["1990-02-31", "1990-02-28", "0000-00-00"].map((dateOfBirth, i) => ({
      ...person,
      identifier: `born:${i}`,
      dateOfBirth,
    }));
    const users = (await app.call(syncUsers, { body: { items: people } }, sync)).output;
    expect([users.accepted, users.rejected.map(({ message }) => message)]).toEqual([
      2,
      ["dateOfBirth is 1990-02-31, which is in no calendar"],
    ]);
    const items = [{ plate: " AB 1 ", model: "sultan", ownerIdentifier: "born:1" }];
    const vehicles = (await app.call(syncVehicles, { body: { items } }, sync)).output;
    expect(vehicles.rejected.map(({ message }) => message)).toEqual([
      "plate must have no blank at its beginning or end, and no control characters",
    ]);
  });
});
