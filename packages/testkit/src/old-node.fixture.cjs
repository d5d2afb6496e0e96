"use strict";
// Preloaded, it makes `rollcall` believe that it was started by a Node that is too old for it.
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } });
