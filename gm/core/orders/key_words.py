"""The words that keys are made of: short, plain, in small letters, and not to be taken for one another.

The keys of running games follow from this list and its order: whoever changes it makes keys void that players have.
"""

WORD_LIST = """
abacus abbey acorn actor adder adobe agent airship alarm album alcove alder almond alpine amber anchor angle animal
ankle antler apple april apron arch arena arrival arrow artist ashes aspen atlas attic august aunt autumn avenue
avocado awning axle bagpipe baker balcony ballad ballet balloon bamboo banjo banner barber barge bark barley barn
barrel basil basin basket bassoon bay bazaar beacon beagle beam bean beaver bedrock beech beehive beetle bell belt
bench beret berry bicycle billow birch biscuit bison blanket blazer bloom blossom bluff boat bobbin bobsled bonfire
bonnet border botany bottle boulder bouquet bowl bowler bramble branch brass brave bread breeze brick bridge bright
brisk bronze brook broom brother brown brush bucket buckle buffalo bugle bumper burrow butler butter button buzzard
cabbage cabin cable cactus calico calm camel camera canal canary candle canoe canvas canyon captain caramel caravan
cargo carpet carrot cart cascade cashew castle cattle cave cavern cedar celery cellar cello chain chalet chalk chariot
cherry chess chest chicory chimney chisel cider cinema circle citadel citron clarion clay clever cliff cloak clock
cloth cloud clover coach coast cobalt cobbler coconut coffee collar colony column comet compass concert condor copper
copse coral corner cornet cottage cotton cousin coyote cradle crane crater crayon cricket crimson crocus crofter crown
cruise crumb crystal cuckoo curlew curtain cushion cypress dahlia dairy daisy damson dancer dawn debate decade deer
delta denim dentist desert diamond diary dinner dipper diver doctor dolmen dolphin domino donkey dory dove dozen
dragon drawer dream drifter drum duchess duck dune dungeon dusk eagle early earth easel east echo eel egg eider elbow
elder elegant eleven elk elm ember emblem emerald emperor empire engine envoy equator ermine estate evening fable
fabric factory fairy falcon fallow family fanfare farmer fathom feather fence fennel fern ferret ferry fiddle fidget
field fifteen fig filter finch finger fir flag flame flannel flask flax fleece flicker flint flock flora flour flower
flute foal fog folio forest forge forty fossil fox freckle fresco fridge friend frog frost fruit fudge funnel furrow
fuzzy gable gadget galaxy gallery galley gander gannet garden garland garlic garnet gate gazelle gecko gentle geyser
giant ginger gingham giraffe glacier glade glass glider glimmer globe glove goat goblet gold gondola goose gorse
gosling gourd grammar granary granite grape grass gravel grebe green griffin grocer grotto grouse grove guava guild
guitar gull gutter gypsum haddock halibut hallway hammer hammock hamper handle hare harmony harness harp harvest hatch
hatter haven hawk hayloft hazel hearth heather hedge helmet hen herald herb hermit heron herring hickory hill hilltop
hinge hive hobby hollow holly honest honey hood hoop hopper horizon horn hornet horse hostel hotel hound house humble
hunter hurdle husky hut iceberg icicle igloo incense inch indigo infant ink inkwell inlet insect iris iron island
ivory ivy jackdaw jacket jaguar jam jar jasmine jaunty jelly jersey jigsaw jolly jonquil journey jubilee judge jug
juggler juice jumper jungle juniper jury kale keel keeper kelp kerb kernel kestrel kettle kind kingdom kiosk kipper
kitchen kite kitten kiwi knight knot label lace ladder lady lagoon lake lamb lamp lancer lantern lapwing larch larder
lark lasso latch lattice laurel lawn leaf leather legend lemon lentil leopard letter level library lilac lily lime
linen linnet lintel lion lizard lobster locket locust lodge loft logbook lotus lucky lullaby lunch lupin lute lynx
lyric magenta magnet magpie mallet mammoth mango manor mansion mantle maple marble march margin marina market marmot
marsh marten mast mauve mayor meadow meander medal melody melon mender mercury merry meteor mild mill millet mimosa
miner minnow mint minute mirror mist mistral mitten moat modest mole moment monarch monday month moon moose morning
mosaic moss motor mouse muffin mural museum music muslin mustard muzzle napkin narrow narwhal nation navy nectar
needle nephew neptune nest nettle nickel niece night nimble nine noble nomad noodle noon north nostril nougat novel
nugget number nurse nursery nutmeg oak oasis oat obelisk oboe ocean ocelot october octopus offer office olive olympic
onion opal opera orange orator orbit orchard orchid organ origami osprey otter outpost oval oven owl oxen oyster
paddle paddock page paint palace palette palm pancake panda pansy panther paper paprika parade parasol parcel park
parrot parsley parsnip partner pastel pasture patch path patient peach peacock peanut pear pebble pelican pencil
penguin penny peony pepper perch petal piano pickle picnic picture pigeon pillow pilot pine pink pioneer pirate
pitcher placid planet plank plate plateau plaza plover plum plume pocket poem poet polar polish polka pollen pond pony
poplar poppy porch porter postman potato potter powder prairie prelude prince printer prism privet prize promise proud
prune puddle puffin pulley pumpkin puppet purple purse pyramid quail quarry quartet quartz quaver queen quick quiet
quill quilt quince quiver rabbit raccoon radio radish raft railway rain rainbow raisin rambler rampart ranger rapid
rattle raven razor recipe reed reef regatta relay resin rhubarb rhythm ribbon rider ripple river rivulet road robin
rocket roof rooster rope rose rotunda rowan royal ruby rudder rug ruler runner russet rustic rye saddle saffron sailor
salad salmon salt samovar sand sandal sardine satin saucer saunter scallop scarf scarlet scholar school scooter scout
screen seagull seal season seaweed second seed seesaw sequin seven sextant shadow shallot shawl sheep shelf shell
sherbet shield shingle ship shirt shoe shore shovel shrub sickle siding signal silk silver singer sister sixty skate
sketch skipper sky skylark slalom slate sledge sleeve slipper smith smoke snail snow sober sofa solid sonata song
soprano soup south spade spaniel sparkle sparrow sphinx spice spider spinach spindle spiral spire spoon spring sprout
spruce square squash stable staff stag stairs stamp star station statue steady steam steel steeple stem step stirrup
stone stork storm story stove straw stream street string strudel studio sturdy sugar suit sultan summer sun sunday
sundial sunrise supper surf surplus swallow swan sweater swift swing syrup table tablet tailor talent tambour tandem
tango tankard target tavern tawny teacher teak teapot tennis tent terrace terrier thicket thimble thistle thorn thread
three thrift thrush thunder thyme ticket tide tidy tiger tiller timber tinder tinker toad toast toffee token tomato
topaz torch totem toucan towel tower town tractor trader train trapeze trawler treacle treaty tree trellis tribute
trident trilby trinket trolley trophy trout truffle trumpet trunk tulip tundra tunic tunnel turban turkey turnip
turtle tweed twelve twenty twig twin typist ukulele unicorn union upland upright urchin usher utensil vale valley
vanilla vase vault vellum velvet venture veranda verdant verse vessel viaduct victory villa village vine vintage viola
violet violin visitor vista vivid voice volcano voyage waffle wagon wallaby walnut walrus waltz warden warm water wave
weather weaver wedge weekend well west whale wharf wheat wheel whistle white wicket widget wigwam willow wind window
winter wise witness wizard wolf wonder wood wool worker wreath wren writer yacht yarn year yellow yeoman yew yodel
young zebra zenith zero zinc zither zodiac
"""
