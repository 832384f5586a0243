import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "siren",
	size: 24,
	node: [
		["path", {
			d: "M7 18v-6a5 5 0 1 1 10 0v6",
			key: "pcx96s"
		}],
		["path", {
			d: "M5 21a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-1a2 2 0 0 0-2-2H7a2 2 0 0 0-2 2z",
			key: "1b4s83"
		}],
		["path", {
			d: "M21 12h1",
			key: "jtio3y"
		}],
		["path", {
			d: "M18.5 4.5 18 5",
			key: "g5sp9y"
		}],
		["path", {
			d: "M2 12h1",
			key: "1uaihz"
		}],
		["path", {
			d: "M12 2v1",
			key: "11qlp1"
		}],
		["path", {
			d: "m4.929 4.929.707.707",
			key: "1i51kw"
		}],
		["path", {
			d: "M12 12v6",
			key: "3ahymv"
		}]
	]
};
__iconData.node;
const Siren = createLucideIcon(__iconData);
export { __iconData, Siren as default };
