import { expect, test } from "vitest";
import { importedNames, unstyled } from "../vite/mantineStyles.ts";

test("the names of a source that the library's styles are kept for", () => {
  const source = `import { Button, type ButtonProps as Props, Menu as Choices } from "@mantine/core";\nimport { useForm } from "@mantine/form";`;
  expect([...importedNames([source])]).toEqual(["Button", "Menu"]);
});

test("a class whose rules were left out is found", () => {
  const whole = ".m_77c9d27d { color: red } .m_8bffd616 { color: blue }";
  const scripts = ['const classes = { root: "m_77c9d27d", inner: "m_8bffd616", other: "m_00000000" }'];
  expect(unstyled(scripts, whole, ".m_77c9d27d { color: red }")).toEqual(["m_8bffd616"]);
  expect(unstyled(scripts, whole, whole)).toEqual([]);
});
