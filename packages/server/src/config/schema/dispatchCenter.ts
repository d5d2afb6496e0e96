import { textList } from "./collections.ts";
import { oneOf } from "./kinds.ts";

export const dispatchCenter = {
  type: oneOf(["gksphone", "lbphone"], {
    default: "gksphone",
    meaning: "The phone system whose dispatches are converted to Rollcall's.",
  }),
  convertJobs: textList({
    default: [],
    example: "[ambulance, police]",
    meaning: "Jobs whose dispatches are converted; empty converts none.",
  }),
};
