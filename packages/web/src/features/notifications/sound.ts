import type { PreferenceOf } from "@rollcall/server/contract/core";
import type { soundPreference } from "@rollcall/server/contract/notifications";
import { tablet } from "#core/preferences.ts";

type Sound = PreferenceOf<typeof soundPreference>;

/** Of the gain at full volume, which is twice that of the default. */
const LOUDEST = 0.1;

export function gainOf({ volume, muted }: Sound): number {
  return muted ? 0 : (volume / 100) * LOUDEST;
}

/** Two short tones, the second higher. Not in the game's tablet, whose sound belongs to the game. */
export function ring(sound: Sound): void {
  const gain = gainOf(sound);
  if (tablet || gain === 0) return;
  try {
    const audio = new AudioContext();
    const volume = audio.createGain();
    volume.gain.value = gain;
    volume.connect(audio.destination);
    for (const [at, pitch] of [
      [0, 660],
      [0.12, 880],
    ] as const) {
      const tone = audio.createOscillator();
      tone.frequency.value = pitch;
      tone.connect(volume);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.1);
      if (pitch === 880) tone.onended = () => void audio.close();
    }
  } catch {
    // A device without sound shows the notification all the same.
  }
}
