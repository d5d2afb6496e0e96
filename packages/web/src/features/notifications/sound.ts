import { tablet } from "#core/preferences.ts";

/** Two short tones, the second higher. Not in the game's tablet, whose sound belongs to the game. */
export function ring(): void {
  if (tablet) return;
  try {
    const audio = new AudioContext();
    const volume = audio.createGain();
    volume.gain.value = 0.05;
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
