package town

import "strings"

// stems are the first words of street names. No two share a Soundex code or
// are within two letters of each other, so that a speech recogniser can distinguish
// them; a test checks the list.
var stems = strings.Fields(`
Abbot Acorn Admiral Agate Alder Almond Ambleside Anchor Angel Apple Ashgrove Aspen Avocet
Badger Balmoral Barbican Barley Barnstone Basil Beacon Beaumont Beech Belfry Bellamy Bellflower
Bishop Blackthorn Bluebell Bodmin Bowling Bracken Bramble Brewery Brickfield Bridle Brookside
Brunel Bulrush Burdock Burgundy Buttercup Buzzard Cabinet Camomile Campion Candle Canterbury
Cardinal Carlton Catkin Cavendish Cedar Chapel Charlock Cherry Chestnut Chicory Church Clarence
Clover Cobalt Cobbler Coniston Convent Copper Coriander Cormorant Cornflower Cotton Cowslip
Crabtree Cranbourne Cricket Crocus Cromwell Crown Cuckoo Curlew Cypress Daffodil Dairy Damson
Dandelion Darwin Deepdene Denmark Derwent Dewberry Dockray Dogwood Dolphin Dovecote Dragon
Dukes Dunlin Dunstable Eagle Eastcote Ebony Edgerton Elderflower Elgar Elmfield Embleton
Emerald Ennerdale Everglade Exeter Eyebright Fairfax Falcon Faraday Farrier Farthing Fellside
Fennel Fernhill Fieldfare Finch Fletcher Flint Florin Forge Fountain Foxglove Fulmar Furnace
Gainsborough Galloway Garrick Gasworks Gatehouse Gentian Gladstone Goldcrest Gooseberry Granary
Greenfinch Grosvenor Guildhall Guinea Gypsy Hamilton Harvester Haslemere Hatter Hawthorn
Hemlock Heron Highfield Hogarth Holly Honeysuckle Hopfield Hornbeam Huntsman Hyacinth Icknield
Imperial Inkerman Iris Irongate Isambard Ivybridge Jackdaw Jasmine Jericho Jessamy Jubilee
Juniper Kelmscott Kendal Kestrel Kimberley Kingfisher Kingsley Kipling Knapweed Knight Laburnum
Lancaster Langdale Lantern Lapwing Larkspur Laurel Lavender Leopold Lilac Limekiln Linden
Lockkeeper Lovelace Loxley Lupin Lychgate Magpie Mallard Malthouse Mandarin Marigold Marjoram
Marlborough Mayflower Meadowsweet Medway Melrose Mercer Merlin Milestone Mistletoe
Monastery Moorhen Mulberry Mustard Myrtle Naseby Navigator Nelson Nettle Newmarket Nightingale
Norfolk Nuthatch Nutmeg Oakwood Oatfield Observatory Observer Octavia Olive Orchard Osprey
Ottershaw Oxlip Oyster Paddock Palatine Palmerston Pansy Parsonage Partridge Peacock Pemberton
Pennine Peppermint Peregrine Periwinkle Pheasant Pilgrim Pimpernel Pinewood Pomfret Poplar
Poppy Portland Primrose Priory Ptarmigan Puffin Purcell Quadrant Quaker Quarry Quillfield
Quince Rainbow Raleigh Ramsey Raven Rectory Redwing Regent Richmond Rochester Rookery Ropewalk
Rosemary Russet Saddler Saffron Sandpiper Sapphire Saxon Scholar Seagrave Sedgefield Sextant
Shamrock Shelley Shepherd Shoemaker Silver Skylark Smithy Snowdrop Sorrel Sovereign Spindle
Spinner Spruce Stanhope Starling Stephenson Stonegate Sunderland Sycamore Tamarisk Tanner
Tarragon Teasel Temple Tennyson Thatcher Thistle Thornbury Thyme Tiverton Tobago Tollgate Tower
Trafalgar Trinity Turnpike Tweed Twyford Ullswater Umber Underhill Upland Valerian Vanbrugh
Verbena Vermilion Viaduct Vicarage Victoria Vineyard Violet Wagtail Walnut Warbler Waterloo
Weaver Wellington Wentworth Westbury Wharfedale Wheatear Whinchat Whitebeam Willow Wimborne
Windmill Wisteria Woodpecker Woolpack Wordsworth Wren Yarrow Yeoman Yewtree Yorick Zephyr
Zinnia Zodiac
`)

// roots and endings make more stems, such as Agnesford: each root goes with each
// ending. What they make is as far apart as the stems are, from one another and
// from the stems, and the same test holds it to that.
var (
	roots = strings.Fields(`
Addle Agnes Albany Alcon Aldous Alfris Amers Ampthil Ansel Archer Armit Asgar Audrey Auster Babble
Babing Bannock Bardney Basset Battles Baxter Belvoir Bertram Bever Bletch Blundel Bolso Bonsal
Branxes Bristle Brockle Buckles Bullers Bunting Burgess Camber Canning Carmel Castor Chaplin
Charter Cheddar Cheviot Chiddes Chippen Cirence Clapper Cleve Coggles Coker Colches Corbet Cranmer
Crispin Cuthber Dainty Debden Deering Delaval Denbigh Desmond Devizes Didcot Dolben Dormer Dovers
Dulver Eccles Eckers Edith Edmunds Egremon Elias Ensing Ericson Etching Ethel Evans Everard Exmoor
Faken Fearns Felbrig Felix Fenner Finkles Fitzroy Flambor Fleet Flores Gamlin Gascoyn Gavel Geddes
Gerrard Gidding Gladwin Gobions Godal Godric Gosling Greta Grimes Guthrum Hadrian Halifax Hambles
Hanover Hassock Hector Helvel Hemming Hepburn Herbert Hesket Heybrid Hilary Hobson Holcot Hornsea
Hoskin Hotspur Howden Hudders Hyndes Ilkes Immer Imogen Ingle Ingram Irving Itchen Ivanhoe Jacobs
Jasper Jellico Jenkin Jeremy Jocelyn Jodrell Joplin Justin Kather Keats Keepers Kelmer Kelvin
Kempson Kenil Kettle Kilburn Kinder Kippax Lancelo Larkin Latimer Leander Leofric Liddles Lilling
Linus Lomond Lothing Lucas Ludger Maccle Maddock Madron Malmes Malvern Marmion Marples Maudlin
Maypole Merrick Mimram Minster Mordaun Morpeth Mosser Mowbray Naldret Napier Nasmyth Nimrod Ninian
Novello Oberon Oddling Offa Ogmore Oliver Olney Onslow Orlando Orpheus Osbert Osmund Oswald Oundle
Paget Pardoe Patrick Peddler Pepys Pettis Philpot Pippin Polper Pomeroy Porlock Prescot Purbeck
Putney Quantoc Quarles Quern Quintin Radnor Ragland Reading Redruth Ribbles Robin Rockall Rupert
Sabrina Samson Sargent Scarbor Selkirk Selwyn Shaftes Shrews Siddons Siward Snape Spenser Sybil
Symonds Tabor Tancred Tewkes Thaxted Thelma Theobal Thorold Tobias Totnes Tristan Truro Turpin
Twicken Uffing Ulric Umfrey Ursula Valence Vandyke Vaughan Vavas Vernon Verulam Vincent Vinings
Wallace Walsing Wantage Warren Watchet Waveney Wessex Whimple Wigan Wilfred Winifre Woburn Wolfram
Wooler Wystan Yelland Youl Yvonne Zachary Zelah Zouch
`)
	endings = strings.Fields(`bridge combe croft field ford grove hurst mere stead stone thorpe water well wick worth haven marsh cliffe`)
)

// townNames are what towns are called and the river they are on, by seed.
var townNames = [...]struct{ town, river string }{
	{"Otterbridge", "River Otter"},
	{"Marlowe Regis", "River Marl"},
	{"Penhallow", "River Hallow"},
	{"Thorncaster", "River Thorn"},
	{"Wexbourne", "River Wex"},
	{"Alderwick", "Alder Water"},
	{"Great Sallow", "River Sallow"},
	{"Harrowmouth", "River Harrow"},
	{"Kestering", "River Kest"},
	{"Saltmere", "River Mere"},
	{"Brackenford", "Bracken Water"},
	{"Oxenholt", "River Oxen"},
	{"Lindenhythe", "River Lind"},
	{"Quenbury", "River Quen"},
	{"Fallowgate", "Fallow Beck"},
	{"Stourhaven", "River Stour"},
}
