import { useState } from "react";
import { IconWorld } from "@tabler/icons-react";
import classes from "./oauth.module.css";

/** A picture from our own origin, or a neutral sign where there is none or it cannot be shown. */
export function Sign({ src, size = 20 }: { src: string | null; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (src === null || src === broken) return <IconWorld size={size} stroke={1.6} aria-hidden />;
  return <img className={classes["sign"]} src={src} width={size} height={size} alt="" onError={() => setBroken(src)} />;
}
