// What modules of the page ask of a browser and of the server when they are read: where they are, what
// they kept.
const store = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
Object.assign(globalThis, { location: new URL("http://127.0.0.1:8080/console/live?sandbox=a%20b"), sessionStorage: store, localStorage: store });
