import type { Call, CallDetail, IncidentType, TypeContent } from "./calls.base.contract.ts";

export const exampleTypeContent: TypeContent = {
  code: "10-31",
  name: "Robbery",
  priority: 1,
  colour: "#b91c1c",
  icon: "tabler:alarm",
  message: "Robbery in progress",
  jobs: [],
  checklist: ["Close the street"],
  questions: ["Are there weapons?"],
};
export const exampleType: IncidentType = { ...exampleTypeContent, id: 3, version: 1, deleted: false };

export const exampleCall: Call = {
  id: 12,
  version: 1,
  state: "open",
  kind: "call",
  type: { id: 3, code: "10-31", name: "Robbery", colour: "#b91c1c", icon: "tabler:alarm" },
  message: "Robbery in progress",
  priority: 1,
  place: { x: 215.5, y: -810.2 },
  postal: "204",
  jobs: [{ name: "police", label: "Police" }],
  createdAt: 1_795_000_000_000,
  alerts: 2,
  lastAlertAt: 1_795_000_030_000,
  waitingSince: 1_795_000_000_000,
  ended: null,
  archived: false,
  mergedInto: null,
  handOver: null,
  may: ["edit", "note", "attach", "complete", "cancel", "split", "link", "handOver", "merge"],
  progress: "waiting",
  units: [],
  work: ["offer"],
};

export const exampleDetail: CallDetail = {
  ...exampleCall,
  merged: [],
  links: [],
  callers: [
    { anonymous: false, citizen: { id: 12, name: "Mara Lind" }, phone: "555-0142", at: 1_795_000_000_000 },
    { anonymous: true, citizen: null, phone: null, at: 1_795_000_030_000 },
  ],
  reports: [
    { id: 2, at: 1_795_000_030_000, message: "Shots at the bank", place: null, anonymous: true, citizen: null },
    {
      ...{ id: 1, at: 1_795_000_000_000, message: "Robbery in progress", place: { x: 215.5, y: -810.2 } },
      ...{ anonymous: false, citizen: { id: 12, name: "Mara Lind" } },
    },
  ],
  checklist: [{ text: "Close the street", done: false }],
  answers: [{ question: "Are there weapons?", answer: "One gun" }],
  timeline: [
    {
      ...{ id: 1, callId: 12, at: 1_795_000_000_000, kind: "created", by: "Mara Lind" },
      ...{ text: null, job: null, citizen: null, other: null },
    },
  ],
};
