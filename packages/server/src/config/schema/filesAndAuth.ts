import { textList } from "./collections.ts";
import { filePath } from "./kinds.ts";

const inEffect = true;

export const postalsFile = filePath({
  default: ".output/public/data/postals.json",
  inEffect,
  meaning: "File of the postal codes of the map: a JSON list of {code, x, y}, read again when it changes.",
});

const groups = (what: string) =>
  textList({
    default: [],
    inEffect,
    example: "[admin]",
    meaning: `Groups whose accounts ${what}; compared exactly, with case.`,
  });
const users = (what: string) =>
  textList({
    default: [],
    inEffect,
    example: "[license:0123abcd]",
    meaning: `Licences, with or without license:, whose accounts ${what}, whatever their groups.`,
  });

export const auth = {
  jobAdminGroups: groups("may enter job admin"),
  jobAdminUsers: users("may enter job admin"),
  configAdminGroups: groups("are config admin and may enter job admin"),
  configAdminUsers: users("are config admin and may enter job admin"),
};
