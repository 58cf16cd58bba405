/** The first event of its own, in a browser that knows the demo. */

/**
 * An event has an authority of its own. A browser that trusts the demo's has the apps from their workers, and would never ask about the
 * new certificate: the page would open, and find that the box does not answer.
 *
 * The box begins anew whether or not the browser lets a worker go, so a refusal is not passed on: the page is to be opened again.
 */
export async function forgetWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const workers = await navigator.serviceWorker.getRegistrations()
    await Promise.allSettled(workers.map((worker) => worker.unregister()))
  } catch (error) {
    console.error(error)
  }
}
