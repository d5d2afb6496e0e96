import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import {
  exampleTypeContent,
  listTypes,
  orderTypes,
  putRules,
  putType,
  removeType,
  restoreType,
  usualRules,
} from "./calls.contract.ts";
import { addType, dispatcher, makeCall } from "./calls.testkit.ts";

describeApps("incident types", (get) => {
  test("are ordered, deleted and restored by who sets them, and a code is there once", async () => {
    const { app, world } = get();
    const who = await dispatcher(get());
    const as = { token: who.token };
    const member = { token: (await world.actor({ job: who.job, grade: 0 })).token };
    const [one, two] = [await addType(get(), who, { code: "A-1" }), await addType(get(), who, { code: "B-2" })];
    const codes = async (actor = as) => (await app.call(listTypes, {}, actor)).output.items.map(({ code }) => code);
    expect(await codes()).toEqual(["A-1", "B-2"]);
    await app.call(orderTypes, { body: { ids: [two.id, one.id] } }, as);
    expect(await codes()).toEqual(["B-2", "A-1"]);
    await app.call(removeType, { params: { id: two.id } }, as);
    expect([await codes(), await codes(member)]).toEqual([["B-2", "A-1"], ["A-1"]]);
    const taken = { params: { id: one.id }, body: { ...exampleTypeContent, code: "b-2", version: 1 } };
    expect((await app.call(putType, taken, as)).output.code).toBe("b-2");
    expect((await app.call(restoreType, { params: { id: two.id } }, as)).body.code).toBe("calls.codeTaken");
    await app.call(putType, { ...taken, body: { ...taken.body, code: "C-3", version: 2 } }, as);
    expect((await app.call(restoreType, { params: { id: two.id } }, as)).status).toBe(200);
    const foreign = await dispatcher(get());
    const jobs = { ...exampleTypeContent, jobs: [foreign.job], version: 3 };
    expect((await app.call(putType, { params: { id: one.id }, body: jobs }, as)).body.code).toBe("calls.notCallable");
  });

  test("come back to a place that no other one has", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const as = { token: who.token };
    const [one, two, three] = [
      await addType(get(), who, { code: "A-1" }),
      await addType(get(), who, { code: "B-2" }),
      await addType(get(), who, { code: "C-3" }),
    ];
    await app.call(removeType, { params: { id: two.id } }, as);
    await app.call(orderTypes, { body: { ids: [three.id, one.id] } }, as);
    expect((await app.call(restoreType, { params: { id: two.id } }, as)).status).toBe(200);
    const { items } = (await app.call(listTypes, {}, as)).output;
    expect(items.map(({ code }) => code)).toEqual(["C-3", "A-1", "B-2"]);
    const places = await app.process.container.db.exclusive("test.places", async ({ connection }) => {
      const { rows } = await connection.execute("select position from calls_types where job = ? order by position", [who.job]);
      return rows.map(({ position }) => Number(position));
    });
    expect(places).toEqual([1, 2, 3]);
  });

  test("reach no job that has stopped being one that everybody may call", async () => {
    const { app, world } = get();
    const [who, other] = [await dispatcher(get()), await dispatcher(get())];
    const open = async ({ token }: typeof who, isOpen: boolean, version: number) =>
      expect((await app.call(putRules, { body: { ...usualRules, public: isOpen, version } }, { token })).status).toBe(200);
    await open(who, true, 0);
    await open(other, true, 0);
    const { id: typeId } = await addType(get(), who, { jobs: [other.job] });
    await open(other, false, 1);
    const { token } = await world.actor({ job: who.job, grade: 0, rights: { "calls.create": true } });
    expect((await makeCall(get(), { token }, { typeId })).body.code).toBe("calls.noJob");
    expect((await makeCall(get(), { token }, { typeId, jobs: [other.job] })).body.code).toBe("calls.notCallable");
    await app.call(removeType, { params: { id: typeId } }, { token: who.token });
    expect((await app.call(restoreType, { params: { id: typeId } }, { token: who.token })).body.code).toBe("calls.notCallable");
  });
});
