// A browser starts no worker for a page that is opened as a file. The search of this manual then runs in a hidden frame,
// which has what its script asks for: messages that come in and go out.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #inside

    constructor(address) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = frame.contentWindow
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = inside.document.createElement("script")
      script.src = new URL(address, location.href).href
      this.#inside = new Promise((resolve, reject) => {
        script.onload = () => resolve(inside)
        script.onerror = reject
      })
      inside.document.body.append(script)
    }

    postMessage(data) {
      this.#inside.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })))
    }
  }
}
