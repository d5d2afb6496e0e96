import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { listCitizens } from "@rollcall/server/contract/citizens";
import { listedRow } from "./lists.ts";

const row = (id: number, version: number, lastName: string) => ({ id, version, lastName });
const pages = (...all: ReturnType<typeof row>[][]) => ({ pages: all.map((items) => ({ items })), pageParams: [] });

it("the row of a record is the newest of the lists that were read, on any of their pages, and of no other list", () => {
  const queries = new QueryClient();
  const named = (id: number) => listedRow(queries, listCitizens, id)?.lastName;
  expect(named(2)).toBeUndefined();
  queries.setQueryData([listCitizens.id, { q: "lind" }], pages([row(1, 1, "Lind")], [row(2, 3, "Lindt")]));
  queries.setQueryData([listCitizens.id, {}], pages([row(2, 2, "Before"), row(3, 1, "Mo")]));
  queries.setQueryData([listCitizens.id, { q: "x" }], undefined);
  queries.setQueryData(["vehicles.list", {}], pages([row(2, 9, "Not a person")]));
  // Answers of other shapes, such as single records, begin with the same word in no case.
  queries.setQueryData([listCitizens.id, { limit: 1 }], { items: [row(2, 8, "No pages")] });
  expect([1, 2, 3, 4].map(named)).toEqual(["Lind", "Lindt", "Mo", undefined]);
});
