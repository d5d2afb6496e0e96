import { useEffect, useEffectEvent, useRef, useState } from "react";
import { soundPreference } from "@rollcall/server/contract/notifications";
import { usePreference } from "#core/accountPreferences.ts";
import { tablet } from "#core/preferences.ts";
import { loadSound } from "#features/notifications/notifications.api.ts";

/** A tone that goes up and down until it is stopped, and loudness that can be changed meanwhile. */
interface Siren {
  readonly audio: AudioContext;
  readonly volume: GainNode;
}

const PITCH = 740;
const SWING = 180;
/** Ups and downs in a second. */
const PACE = 1.6;

function start(gain: number): Siren {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.value = gain;
  volume.connect(audio.destination);
  const tone = audio.createOscillator();
  tone.frequency.value = PITCH;
  tone.connect(volume);
  const swing = audio.createOscillator();
  swing.type = "square";
  swing.frequency.value = PACE;
  const depth = audio.createGain();
  depth.gain.value = SWING;
  swing.connect(depth);
  depth.connect(tone.frequency);
  tone.start();
  swing.start();
  return { audio, volume };
}

/**
 * Sounds while something rings, as loud as the person chose; not in the game's tablet, whose sound belongs to the game.
 * `blocked`: the browser waits for a click on the page, and `unblock` is to be called by one.
 */
export function useSiren(rings: boolean): { readonly blocked: boolean; unblock(): void } {
  const { value, known } = usePreference(soundPreference);
  const [gainOf, setGainOf] = useState<Awaited<ReturnType<typeof loadSound>>["gainOf"] | null>(null);
  useEffect(() => {
    loadSound()
      .then((sound) => setGainOf(() => sound.gainOf))
      // Offline: the alarm is shown all the same.
      .catch(() => setGainOf(null));
  }, []);
  const gain = known && gainOf !== null ? gainOf(value) : 0;
  const sounds = rings && gain > 0 && !tablet;
  const siren = useRef<Siren | null>(null);
  const [blocked, setBlocked] = useState(false);
  const loudness = useEffectEvent(() => gain);
  useEffect(() => {
    if (!sounds) return;
    let own: Siren;
    try {
      own = start(loudness());
    } catch {
      // A device without sound shows the alarm all the same.
      return;
    }
    siren.current = own;
    const look = () => setBlocked(own.audio.state === "suspended");
    const unlock = () => void own.audio.resume();
    own.audio.addEventListener("statechange", look);
    document.addEventListener("pointerdown", unlock);
    document.addEventListener("keydown", unlock);
    look();
    return () => {
      siren.current = null;
      own.audio.removeEventListener("statechange", look);
      document.removeEventListener("pointerdown", unlock);
      document.removeEventListener("keydown", unlock);
      void own.audio.close();
      setBlocked(false);
    };
  }, [sounds]);
  useEffect(() => {
    if (siren.current !== null) siren.current.volume.gain.value = gain;
  }, [gain]);
  return { blocked: sounds && blocked, unblock: () => void siren.current?.audio.resume() };
}
