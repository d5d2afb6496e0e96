import { describe, expect, it } from "vitest";
import { createTracks } from "./interpolation.ts";

describe("createTracks", () => {
  const moving = () => createTracks({ x: "line", heading: "angle" }, 1000);

  it("moves a number on a line within the time between two frames, and no further", () => {
    const tracks = moving();
    tracks.report("a", { x: 0 }, 0);
    tracks.report("a", { x: 10 }, 1000);
    expect([1000, 1500, 2000, 9000].map((now) => tracks.at("a", now)?.["x"])).toEqual([0, 5, 10, 10]);
  });

  it("goes on from where it is shown when a report comes early", () => {
    const tracks = moving();
    tracks.report("a", { x: 0 }, 0);
    tracks.report("a", { x: 10 }, 1000);
    tracks.report("a", { x: 0 }, 1500);
    expect(tracks.at("a", 1500)?.["x"]).toBe(5);
    expect(tracks.at("a", 2000)?.["x"]).toBe(2.5);
  });

  it("turns an angle the shorter way round", () => {
    const tracks = moving();
    tracks.report("a", { heading: 350 }, 0);
    tracks.report("a", { heading: 10 }, 1000);
    expect([1250, 1500, 1750].map((now) => tracks.at("a", now)?.["heading"])).toEqual([355, 0, 5]);
  });

  it("begins at the first report, and knows nothing of a key that is gone", () => {
    const tracks = moving();
    tracks.report("a", { x: 3, heading: 90 }, 0);
    expect(tracks.at("a", 1)).toEqual({ x: 3, heading: 90 });
    tracks.report("a", null, 2);
    expect(tracks.at("a", 3)).toBeUndefined();
  });
});
