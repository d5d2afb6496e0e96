/** The part of the load generator that the benchmark uses. */
declare module "autocannon" {
  interface Options {
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
  }
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    /** Seconds. */
    readonly duration: number;
    readonly non2xx: number;
    readonly errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
